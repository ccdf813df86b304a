/** The 62 digits of identifiers and keys, in the order of their character codes, so that ids sort as numbers. */
export const BASE62_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
