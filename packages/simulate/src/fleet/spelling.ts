/** How an exporter writes names of fields and labels: `classic` before dcgm-exporter renamed them, `renamed` after (E2). */
export type Spelling = "classic" | "renamed";
