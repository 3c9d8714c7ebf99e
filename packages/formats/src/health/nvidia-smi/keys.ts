import { CLOCK_REASONS } from "./clock-reasons.ts";
import { ECC_PARTS, ECC_SPANS } from "./ecc-fields.ts";
import { SMI_FIELDS } from "./fields.ts";

/** What a GPU is called and made of: label names as exporters write them, which are attributes of ours. */
const ATTRIBUTES: readonly { readonly label: string; readonly text: string; readonly xml: string; readonly csv: string }[] = [
  { label: "UUID", text: "gpu_uuid", xml: "uuid", csv: "uuid" },
  { label: "modelName", text: "product_name", xml: "product_name", csv: "name" },
  { label: "vbios_version", text: "vbios_version", xml: "vbios_version", csv: "vbios_version" },
  { label: "serial", text: "serial_number", xml: "serial", csv: "serial" },
  { label: "pci_bus_id", text: "pci/bus_id", xml: "pci/pci_bus_id", csv: "pci.bus_id" },
  { label: "driver_version", text: "", xml: "", csv: "driver_version" },
  { label: "gpu", text: "", xml: "", csv: "index" },
];

/**
 * What a place in an output means: `metric:NAME`, `ecc:SPAN:PART`, `reason:BIT`, `label:NAME`, `mig:id` and `time`. Places that are not here
 * are not kept.
 */
function table(of: "text" | "xml" | "csv"): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  for (const field of SMI_FIELDS) for (const place of field[of]) places.set(place, `metric:${field.metric}`);
  for (const { span } of ECC_SPANS) {
    for (const { part, [of]: place } of ECC_PARTS) {
      places.set(of === "csv" ? `ecc.errors.${place.replace("SPAN", span)}` : `ecc_errors/${span}/${place}`, `ecc:${span}:${part}`);
    }
  }
  for (const { label, [of]: place } of ATTRIBUTES) if (place !== "") places.set(place, `label:${label}`);
  if (of === "csv") return places.set("timestamp", "time");
  for (const { bit, text, xml } of CLOCK_REASONS) {
    for (const section of ["clocks_event_reasons", "clocks_throttle_reasons"]) {
      places.set(of === "text" ? `${section}/${text}` : `${section}/${section.slice(0, -1)}_${xml}`, `reason:${bit}`);
    }
  }
  return places;
}

export const TEXT_KEYS = table("text");
export const XML_KEYS = table("xml");
export const CSV_KEYS = table("csv");

/** Fields of a MIG instance, below `MIG Device` and `mig_device`. */
export const MIG_TEXT_KEYS: ReadonlyMap<string, string> = new Map([
  ["gpu_instance_id", "mig:id"],
  ["ecc_errors/volatile/sram_uncorrectable", "ecc:volatile:sramUncorrected"],
  ...["shared_fb_memory_usage", "fb_memory_usage"].flatMap((section) => memoryKeys(section)),
]);
export const MIG_XML_KEYS: ReadonlyMap<string, string> = new Map([
  ["gpu_instance_id", "mig:id"],
  ["ecc_error_count/volatile_count/sram_uncorrectable", "ecc:volatile:sramUncorrected"],
  ...memoryKeys("fb_memory_usage"),
]);

function memoryKeys(section: string): readonly (readonly [string, string])[] {
  return ["total", "reserved", "used", "free"].map((name) => [`${section}/${name}`, `metric:DCGM_FI_DEV_FB_${name.toUpperCase()}`]);
}
