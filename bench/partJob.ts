/** The parts that are measured in separate processes. */
export const PROCESS_PARTS = [
  'growth',
  'local',
  'gas',
  'sealing',
  'proofs',
  'receipts',
  'scaling',
  'gate',
  'profile',
] as const

/** The job of such a process. */
export type PartJob = { part: (typeof PROCESS_PARTS)[number] } & PartOptions

export type PartOptions = { isQuick: boolean; isFull: boolean }
