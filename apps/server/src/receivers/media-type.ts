/** `application/x-protobuf;proto=io.prometheus.write.v2.Request` as its type and one parameter, in lower case where case means nothing. */
export function mediaTypeOf(header: string | undefined, parameter: string): { readonly type: string; readonly parameter: string | null } {
  const [type = "", ...parameters] = (header ?? "").split(";").map((part) => part.trim());
  const prefix = `${parameter}=`;
  const found = parameters.find((part) => part.toLowerCase().startsWith(prefix));
  return { type: type.toLowerCase(), parameter: found?.slice(prefix.length).replace(/^"(.*)"$/, "$1") ?? null };
}
