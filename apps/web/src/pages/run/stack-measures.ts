/** Width of the label column that the attempts strip and the lanes share. */
export const LABEL_PX = 196;
/** Four lanes, events and the axis: the page must not jump when they come. */
export const STACK_PX = 560;
