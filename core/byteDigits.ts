/** The two hexadecimal digits of each byte, in lower case. */
export const BYTE_DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
