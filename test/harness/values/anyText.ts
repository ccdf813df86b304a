import fc from 'fast-check'

const isHalf = (codePoint: number) => codePoint >= 0xd800 && codePoint <= 0xdfff
const character = fc
  .oneof(fc.nat({ max: 0x7f }), fc.nat({ max: 0xffff }), fc.nat({ max: 0x10ffff }))
  .filter((codePoint) => !isHalf(codePoint))
  .map((codePoint) => String.fromCodePoint(codePoint))

/**
 * Well-formed texts of any characters, control signs among them, a third ASCII.
 *
 * fast-check's own way to these, `unit: 'binary'`, first makes a table of all of Unicode, for more than a second.
 */
export const anyText = (constraints: { maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.array(character, constraints).map((characters) => characters.join(''))
