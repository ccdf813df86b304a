/** One character of a segment: itself, any, or one of a set of ranges; characters are Unicode code points. */
export type GlobCharacter =
  | { kind: 'literal'; code: number }
  | { kind: 'any' }
  | { kind: 'class'; negated: boolean; ranges: readonly { from: number; to: number }[] }

/** An item of a segment: a character, or `run`, which stands for any number of further characters. */
export type GlobItem = GlobCharacter | { kind: 'run' }

/** A pattern without alternatives: its segments, where `'**'` stands for any number of segments. */
export type GlobPattern = readonly ('**' | readonly GlobItem[])[]
