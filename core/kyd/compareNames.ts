/** A word of a name, and whether the other name has it, too. */
export type NamePart = { text: string; isShared: boolean }

export type ComparedNames = {
  account: NamePart[]
  document: NamePart[]
  /** `partly` if they share at least one word. */
  verdict: 'same' | 'partly' | 'different'
}

/** Letters that the zone of a passport writes with others. Source: ICAO Doc 9303-3 §6, table A. */
const SPELLINGS: Readonly<Record<string, string>> = {
  ...{ Ä: 'AE', Æ: 'AE', Å: 'AA', Ö: 'OE', Ø: 'OE', Œ: 'OE', Ü: 'UE', ß: 'SS', ẞ: 'SS' },
  ...{ Þ: 'TH', Ð: 'D', Đ: 'D', Ł: 'L', Ħ: 'H', ı: 'I', Ŋ: 'N' },
}

/**
 * Compares an account's name with the one in a passport, word by word and in any order, to show a reviewer where they
 * differ.
 *
 * The zone has only A to Z, so `Müller` is found as `MUELLER` and as `MULLER`. Whether a difference matters, as a second
 * given name rarely does, the reviewer decides.
 */
export function compareNames(account: string, document: string): ComparedNames {
  const own = wordsOf(account)
  const other = wordsOf(document)
  const left = markShared(own, other)
  const right = markShared(other, own)
  const all = [...left, ...right]
  const verdict = all.every(({ isShared }) => isShared)
    ? 'same'
    : all.some(({ isShared }) => isShared)
      ? 'partly'
      : 'different'
  return { account: left, document: right, verdict: all.length === 0 ? 'different' : verdict }
}

function wordsOf(name: string): string[] {
  return name.split(/[\s\-–]+/u).filter((word) => spellingsOf(word).some((spelling) => spelling !== ''))
}

function markShared(words: readonly string[], among: readonly string[]): NamePart[] {
  const others = new Set(among.flatMap(spellingsOf))
  return words.map((text) => ({ text, isShared: spellingsOf(text).some((spelling) => others.has(spelling)) }))
}

/** How a zone may write a word: with the letters that stand for others, or without their marks. */
function spellingsOf(word: string): string[] {
  const upper = word.normalize('NFC').toUpperCase()
  const written = [...upper].map((letter) => SPELLINGS[letter] ?? letter).join('')
  return [...new Set([written, upper].map((text) => text.normalize('NFD').replace(/[^\p{L}\p{N}]/gu, '')))]
}
