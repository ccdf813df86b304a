/** Requests to the projection's thread. */
export type ProjectionRequest = { kind: 'catchUp'; id: number } | { kind: 'stop' }

/** Reports of the projection's thread; if it fails, it exits with the error instead. */
export type ProjectionReport =
  | { kind: 'running'; nextSeq: number; rebuilt: boolean }
  | { kind: 'advanced'; nextSeq: number; logSize: number }
  | { kind: 'caughtUp'; ids: number[]; nextSeq: number }
