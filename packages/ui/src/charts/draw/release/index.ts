export { ReleaseGrid, type GridPlace, type ReleaseGridProps } from "./release-grid.tsx";
export { columnCounts, columnName } from "./grid-head.tsx";
export { ParetoChart } from "./pareto-chart.tsx";
export { WeightsChart } from "./weights-chart.tsx";
export { TrendChart } from "./trend-chart.tsx";
