// Speed bench being written (see the lead's note): this skeleton says not ok until it measures.
async function run(): Promise<Record<string, unknown> & { ok: boolean }> {
  return { ok: false, state: "being written" };
}

export default { name: "query", run };
