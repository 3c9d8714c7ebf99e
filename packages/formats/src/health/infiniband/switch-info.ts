import type { HealthSink } from "../contract.ts";
import { count } from "../nvidia-smi/value.ts";
import type { ToolReader } from "./tool-reader.ts";

const ROW = /^( *)([A-Za-z][\w()#:/ .-]{0,40}?) *\| (.*?)\s*$/;
const UPTIME = /^(\d+)d-(\d{1,2}):(\d{2}):(\d{2})$/;
/** Rows that become readings as they are. */
const NUMBERS: ReadonlyMap<string, string> = new Map([
  ["temperature (C)", "infiniband_switch_temperature_celsius"],
  ["max temp (C)", "infiniband_switch_temperature_max_celsius"],
]);

/** `GUID               | 0x1c34da0300010540`. */
export function isSwitchInfoRow(line: string): boolean {
  return /^GUID +\| 0x[0-9a-f]{16}\s*$/.test(line);
}

/** `ibswinfo`: temperature, fans, power supplies and uptime of a switch, with the names of infiniband_exporter where it has them. */
export function switchInfo(sink: HealthSink): ToolReader {
  let labels: Record<string, string> = {};
  let supply: string | null = null;
  let isInside = false;

  function number(name: string, of: Readonly<Record<string, string>>, text: string, what: string, line: number): void {
    const read = count(text);
    if (read.kind === "fault") sink.issue({ line, code: "bad-value", message: `${what} was left out: ${read.why}.` });
    if (read.kind === "number") sink.reading({ name, labels: of, value: read.value, line, timeMs: null });
  }

  function isOk(name: string, of: Readonly<Record<string, string>>, text: string, line: number): void {
    sink.reading({ name, labels: of, value: text === "OK" ? 1 : 0, line, timeMs: null });
  }

  function ofSupply(key: string, text: string, line: number): void {
    const of = { ...labels, psu: supply ?? "" };
    if (key === "DC power") isOk("infiniband_switch_power_supply_dc_power_ok", of, text, line);
    else if (key === "fan status") isOk("infiniband_switch_power_supply_fan_ok", of, text, line);
    else if (key === "power (W)") number("infiniband_switch_power_supply_watts", of, text, `Power of supply ${supply}`, line);
  }

  function row(indent: string, key: string, text: string, line: number): void {
    if (indent !== "" && supply !== null) return ofSupply(key, text, line);
    supply = /^PSU(\d+) status$/.exec(key)?.[1] ?? null;
    if (supply !== null) return isOk("infiniband_switch_power_supply_ok", { ...labels, psu: supply }, text, line);
    const fan = /^fan#(\d+) \(rpm\)$/.exec(key)?.[1];
    if (fan !== undefined) return number("infiniband_switch_fan_rpm", { ...labels, fan }, text, `Speed of fan ${fan}`, line);
    if (key === "fan status") return isOk("infiniband_switch_fan_ok", labels, text, line);
    const metric = NUMBERS.get(key);
    if (metric !== undefined) return number(metric, labels, text, key, line);
    const [, days, hours, minutes, seconds] = UPTIME.exec(key.startsWith("uptime") ? text : "") ?? [];
    if (days === undefined) return;
    const uptime = Number(days) * 86_400 + Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
    sink.reading({ name: "infiniband_switch_uptime_seconds", labels, value: uptime, line, timeMs: null });
  }

  return (text, line) => {
    const [, indent, key, value] = ROW.exec(text) ?? [];
    if (indent === undefined || key === undefined || value === undefined) {
      const isRule = /^[=-]{20,}$/.test(text);
      // A heavy rule heads the next switch.
      if (isInside && text.startsWith("====")) [labels, isInside, supply] = [{}, false, null];
      return isRule;
    }
    isInside = true;
    if (key === "GUID") labels = { ...labels, guid: value };
    else if (key === "serial number") labels = { ...labels, serial: value };
    else row(indent, key, value, line);
    return true;
  };
}
