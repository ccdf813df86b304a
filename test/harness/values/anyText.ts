import fc from 'fast-check'

const isSurrogate = (codePoint: number) => codePoint >= 0xd800 && codePoint <= 0xdfff
const character = fc
  .oneof(fc.nat({ max: 0x7f }), fc.nat({ max: 0xffff }), fc.nat({ max: 0x10ffff }))
  .filter((codePoint) => !isSurrogate(codePoint))
  .map((codePoint) => String.fromCodePoint(codePoint))

/**
 * Arbitrary well-formed texts of any characters, including control characters; a third of the characters are ASCII.
 *
 * fast-check's own `unit: 'binary'` first builds a table of all of Unicode, which takes more than a second.
 */
export const anyText = (constraints: { maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.array(character, constraints).map((characters) => characters.join(''))
