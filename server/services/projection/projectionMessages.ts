/** What the projection's thread is asked. */
export type ProjectionRequest = { kind: 'catchUp'; id: number } | { kind: 'stop' }

/** What the projection's thread tells; one that fails ends with its error instead. */
export type ProjectionReport =
  | { kind: 'running'; nextSeq: number; rebuilt: boolean }
  | { kind: 'advanced'; nextSeq: number }
  | { kind: 'caughtUp'; ids: number[]; nextSeq: number }
