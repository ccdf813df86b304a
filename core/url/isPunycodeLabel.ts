import { parseUrl } from './url.ts'

/** Parameters of the encoding. Source: RFC 3492 §5. */
const [BASE, T_MIN, T_MAX, SKEW, DAMP, BIAS, FIRST] = [36, 1, 26, 38, 700, 72, 128] as const
const CODE_POINT_MAX = 0x10ffff

/**
 * Whether a label that begins with `xn--`, in lower case, is how an international name is written: it decodes, and the
 * decoded name is written as this label and no other.
 *
 * Runtimes differ in whether `URL` refuses the others, which are names that no registry gives out. Source: RFC 5891 §4.4.
 */
export function isPunycodeLabel(label: string): boolean {
  const name = decode(label.slice('xn--'.length))
  // Everything in ASCII is written as it is.
  if (name === undefined || /^[\0-\x7f]*$/.test(name)) return false
  return parseUrl(`http://${name}.invalid`)?.hostname === `${label}.invalid`
}

/** Undefined for a text that is no encoding. Source: RFC 3492 §6.2. */
function decode(encoded: string): string | undefined {
  const end = encoded.lastIndexOf('-')
  const points = Array.from(encoded.slice(0, Math.max(0, end)), (letter) => letter.codePointAt(0) ?? 0)
  let [n, i, bias, at] = [FIRST as number, 0, BIAS as number, end + 1]
  while (at < encoded.length) {
    const number = readNumber(encoded, at, bias)
    if (number === undefined) return undefined
    i += number.value
    const length = points.length + 1
    n += Math.floor(i / length)
    if (n > CODE_POINT_MAX) return undefined
    points.splice(i % length, 0, n)
    bias = adapt(number.value, length, at === end + 1)
    i = (i % length) + 1
    at = number.end
  }
  return String.fromCodePoint(...points)
}

/** Reads a number of variable length. */
function readNumber(text: string, start: number, bias: number): { value: number; end: number } | undefined {
  let [value, weight, at] = [0, 1, start]
  for (let k: number = BASE; at < text.length; k += BASE) {
    const digit = digitOf(text.charCodeAt(at++))
    if (digit === undefined) return undefined
    value += digit * weight
    if (value > Number.MAX_SAFE_INTEGER / BASE) return undefined
    const threshold = Math.min(T_MAX, Math.max(T_MIN, k - bias))
    if (digit < threshold) return { value, end: at }
    weight *= BASE - threshold
  }
  return undefined
}

function digitOf(code: number): number | undefined {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61
  return code >= 0x30 && code <= 0x39 ? code - 0x30 + 26 : undefined
}

/** Source: RFC 3492 §6.1. */
function adapt(value: number, length: number, isFirst: boolean): number {
  let delta = Math.floor(value / (isFirst ? DAMP : 2))
  delta += Math.floor(delta / length)
  let k = 0
  for (; delta > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) delta = Math.floor(delta / (BASE - T_MIN))
  return k + Math.floor(((BASE - T_MIN + 1) * delta) / (delta + SKEW))
}
