import { findNameFault } from '@svc/core/names/findNameFault.ts'
import { LIVING_SCRIPTS } from '@svc/core/names/livingScripts.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { anyText } from '../../harness/values/anyText.ts'
import { scaleCaseCount } from '../../harness/values/scaleCaseCount.ts'

const codeOf = (name: string) => findNameFault(name.normalize('NFC'))?.code ?? null

describe('findNameFault', () => {
  for (const name of [
    'Shopping assistant',
    'Orders API v1.2 (EU) – "beta" №5',
    'Müller & Söhne',
    'Zoe\u0308',
    'Ελληνικά',
    'Москва 24/7',
    'سوق الدوحة',
    'חנות בע״מ',
    '東京ストア Tokyo',
    '寿司　カフェ',
    '서울 상점 Shop',
    'ㄅㄆㄇ 台北 Taipei',
    'दुकान',
    'ᏣᎳᎩ',
    '𐌀𐌁𐌂',
    'Shop 🛒 ❤️ 👩‍💻 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '🤖',
    'Ⓜ️ Café ‼️ 1º №5 Acme™ H₂O',
    'น้ำดื่ม',
    'Արև',
    '株式会社（東京）！',
    'ㅋㅋ 카페',
    'चीज़ों',
    'བསྒྲུབས',
    'مُحَمَّد',
    '',
  ]) {
    it(`admits “${name}”`, () => expect(findNameFault(name.normalize('NFC'))).to.equal(null))
  }

  for (const [what, name] of [
    ['PayPal in Cyrillic with a Latin l', 'раураl'],
    ['one Cyrillic letter', 'Pаypal'],
    ['Greek in a Latin word', 'Gοogle'],
    ['Latin in a Greek word', 'Aθήνα'],
    ['Armenian in a Latin word', 'Shoք'],
    ['Cherokee in a Latin word', 'ᎪPPLE'],
    ['Lisu in a Latin word', 'ꓢHOP'],
    ['a historical script in a Latin word', 'SH𐌏P'],
    ['Cyrillic in Japanese', '東京ストア и'],
    ['Chinese phonetics with Korean', 'ㄅ 서울'],
    ['Hiragana with Korean', 'ひ 서울'],
    ['two words in two scripts', 'Shop Магазин'],
  ] as const) {
    it(`refuses ${what}`, () => expect(codeOf(name)).to.equal('mixed_scripts'))
  }

  for (const [what, name] of [
    ['a zero width space', 'Shop\u200bping'],
    ['a zero width joiner outside an emoji', 'Shop\u200dping'],
    ['a soft hyphen', 'Shop\u00adping'],
    ['a word joiner', 'Shop\u2060'],
    ['a byte order mark', '\ufeffShop'],
    ['a variation selector', 'Shop\ufe0f'],
    ['an object replacement character', 'Shop\ufffc'],
    ['a right-to-left override', 'Shop\u202eton'],
    ['a right-to-left mark', 'Shop\u200f!'],
    ['an isolate', 'Shop\u2066ton\u2069'],
    ['a tag', 'Shop\u{e0041}'],
    ['a Hangul filler', 'Shop\u3164'],
    ['the blank of Braille', 'Shop\u2800'],
    ['a no-break space', 'Shop\u00a0API'],
    ['a line separator', 'Shop\u2028API'],
    ['a control character', 'Shop\u0007'],
    ['a character of private use', 'Shop\ue000'],
    ['half a surrogate pair', 'Shop\ud800'],
  ] as const) {
    it(`refuses ${what}`, () => expect(codeOf(name)).to.equal('invisible_character'))
  }

  for (const [what, name] of [
    ['small Roman numerals', 'ⅼⅼoyds bank'],
    ['a fullwidth letter', 'Ａmazon'],
    ['a script letter', 'ℱacebook'],
    ['a bold letter', '𝐀mazon'],
    ['a ligature', 'ﬁnance'],
    ['a superscript letter', 'Amazonᵃ'],
    ['the dot of a leader', 'amazon․com'],
    ['a fullwidth full stop', 'amazon．com'],
    ['a fullwidth parenthesis in Latin', 'Amazon（EU)'],
    ['a fullwidth digit', 'Shop ２4'],
    ['a radical', '⼀丁'],
    ['a half-width Katakana', 'ｶフェ'],
    ['a form of an Arabic letter', 'ﺳوق'],
  ] as const) {
    it(`refuses ${what}`, () => expect(codeOf(name)).to.equal('compatibility_character'))
  }

  it('refuses more than two marks of no script on one letter', () => {
    expect(codeOf('A\u0337\u0338mazon')).to.equal(null)
    for (const marks of ['\u0337\u0338\u0335', '\u0337\u0338\u0335\u0334', '\u0337\u0337\u0337']) {
      expect(codeOf(`A${marks}mazon`)).to.equal('stacked_marks')
    }
  })

  it('says what is wrong', () => {
    expect(findNameFault('Ａmazon')?.message).to.match(/^contains U\+FF21, another form of “A”/)

    expect(findNameFault('раураl')?.message).to.match(/^mixes characters of Cyrillic and Latin scripts/)
    expect(findNameFault('SH𐌏P')?.message).to.match(/^mixes characters of several scripts/)
    expect(findNameFault('Shop\u200bping')?.message).to.match(/^contains U\+200B/)
  })

  it('agrees with the sets of scripts that the standard computes for each character', () => {
    const one = fc.constantFrom(...SAMPLES)
    const texts = fc.oneof(
      anyText({ maxLength: 6 }),
      fc.array(one, { maxLength: 5 }).map((all) => all.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const name = text.normalize('NFC')
        const fault = findNameFault(name)
        if (fault !== null && fault.code !== 'mixed_scripts') return
        expect(fault === null, JSON.stringify(name)).to.equal(isHighlyRestrictive(name))
      }),
      { numRuns: scaleCaseCount(3_000) },
    )
  })
})

/** Letters of many scripts, characters that several scripts share, and characters of none. */
const SAMPLES = [
  ...['a', 'é', 'я', 'ω', 'א', 'ش', 'क', 'あ', 'カ', '漢', '한', 'ㄅ', 'ก', 'Ꭺ', 'ꓢ', '𐌏', 'ⲁ', 'ߊ', 'ა'],
  ...['ー', '、', '।', '٠', 'ـ', '\u0301', '\u0483', '1', '-', ' ', '№', '🛒'],
]

/**
 * Whether the resolved script set of a name is not empty once each character’s set is augmented by the writing systems of
 * East Asia, where Latin is allowed as well. Source: UTS 39 §5.1, §5.2.
 */
function isHighlyRestrictive(name: string): boolean {
  const sets = Array.from(name, scriptsOf).filter((set) => !set.has('ALL'))
  const meets = (some: readonly Set<string>[]) =>
    some.length === 0 || [...(some[0] ?? [])].some((script) => some.every((set) => set.has(script)))
  if (meets(sets)) return true
  const rest = sets.filter((set) => !set.has('Latin'))
  return ['Hanb', 'Jpan', 'Kore'].some((system) => rest.every((set) => set.has(system)))
}

function scriptsOf(character: string): Set<string> {
  const has = (script: string) => new RegExp(`\\p{Script_Extensions=${script}}`, 'u').test(character)
  if (has('Common') || has('Inherited')) return new Set(['ALL'])
  const scripts = new Set<string>(LIVING_SCRIPTS.filter(has))
  if (scripts.size === 0) scripts.add('historical')
  const augment = (from: readonly string[], system: string) => {
    if (from.some((script) => scripts.has(script))) scripts.add(system)
  }
  augment(['Han', 'Bopomofo'], 'Hanb')
  augment(['Han', 'Hiragana', 'Katakana'], 'Jpan')
  augment(['Han', 'Hangul'], 'Kore')
  return scripts
}
