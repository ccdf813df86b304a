/** One operation of a process on a file. */
export type LoggedOperation = {
  kind: 'write' | 'truncate' | 'sync'
  file: string
  offset: number
  data: Buffer
}

const HEADER_BYTES = 15
const KINDS = { W: 'write', T: 'truncate', S: 'sync' } as const

/** Reads the log of `logWrites.c` in order; for a truncation, the offset is the new size. */
export function readWriteLog(log: Buffer): LoggedOperation[] {
  const operations: LoggedOperation[] = []
  for (let at = 0; at < log.length; ) {
    const kind = KINDS[String.fromCharCode(log.readUInt8(at)) as keyof typeof KINDS]
    const nameLength = log.readUInt16LE(at + 1)
    const offset = Number(log.readBigUInt64LE(at + 3))
    const length = log.readUInt32LE(at + 11)
    const name = at + HEADER_BYTES
    const data = name + nameLength
    const end = kind === 'write' ? data + length : data
    operations.push({ kind, file: log.toString('utf8', name, data), offset, data: log.subarray(data, end) })
    at = end
  }
  return operations
}
