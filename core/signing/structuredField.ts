import { encodeBase64 } from '../bytes.ts'

/**
 * Writes a String of a structured field.
 *
 * @throws Error for a character that a String cannot contain: anything but printable ASCII. Source: RFC 9651 §4.1.6.
 */
export function writeString(text: string): string {
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`
  if (!/^[\x20-\x7e]*$/.test(text)) throw new Error('structured field: not printable ASCII')
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

/**
 * Writes an Integer of a structured field.
 *
 * @throws Error for a number that an Integer cannot be: a fraction, or more than 15 digits. Source: RFC 9651 §4.1.4.
 */
export function writeInteger(value: number): string {
  if (!Number.isInteger(value) || Math.abs(value) > 999_999_999_999_999) {
    throw new Error('structured field: not an integer')
  }
  return String(value)
}

/** Writes a Byte Sequence of a structured field. Source: RFC 9651 §4.1.8. */
export function writeBytes(bytes: Uint8Array): string {
  return `:${encodeBase64(bytes)}:`
}

/**
 * Writes a member of a Dictionary from its serialised value.
 *
 * @throws Error for a key that a Dictionary cannot have. Source: RFC 9651 §4.1.1.3.
 */
export function writeMember(key: string, value: string): string {
  if (!/^[a-z*][a-z0-9_.*-]*$/.test(key)) {
    throw new Error(`structured field: ${key} is not a key`)
  }
  return `${key}=${value}`
}
