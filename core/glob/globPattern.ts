/** One character of a segment: itself, any, or one of a set of ranges; characters are Unicode code points. */
export type GlobCharacter =
  | { kind: 'literal'; code: number }
  | { kind: 'any' }
  | { kind: 'class'; negated: boolean; ranges: readonly { from: number; to: number }[] }

/** An item of a segment: a character, or `run`, which stands for any number of further characters. */
export type GlobItem = GlobCharacter | { kind: 'run' }

/** A part of a pattern: any number of segments, any one segment that is not empty, a fixed segment, or one described by items. */
export type GlobSegment =
  | { kind: 'many' }
  | { kind: 'some' }
  | { kind: 'fixed'; text: string }
  | { kind: 'items'; items: readonly GlobItem[] }

/** A pattern without alternatives. */
export type GlobPattern = readonly GlobSegment[]
