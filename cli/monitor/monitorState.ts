import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../terminal/usageError.ts'

const findingSchema = z.object({
  text: z.string(),
  /** Epoch milliseconds. */
  since: z.number(),
  /** Whether its alert was delivered. */
  isDelivered: z.boolean(),
  /** Signed documents that show it. */
  evidence: z.array(z.string()),
})

const stateSchema = z.object({
  version: z.literal(1),
  service: z.string(),
  /** Id of the log and the key of its checkpoints, as first seen unless they were given. */
  logId: z.string().nullable(),
  logKey: z.string().nullable(),
  /** Signed hand-overs from that key to those that signed accepted checkpoints, oldest first. */
  handovers: z.array(z.string()).default([]),
  /** The newest checkpoint that was signed and extended the one before. */
  head: z.object({ size: z.number(), root: z.string(), note: z.string() }).nullable(),
  /** Numbers of the own records that were seen, by identifier. */
  records: z.record(z.string(), z.number()),
  /** The first number that was not read from an export yet. */
  nextRecord: z.number(),
  /** When the export was last read from its beginning; epoch milliseconds. */
  recordsReadAt: z.number(),
  /** When received records without a proof were first missed, by identifier. */
  unproven: z.record(z.string(), z.number()),
  /** Since when the log could not be checked; null if the last check was complete. */
  uncheckedSince: z.number().nullable(),
  /** What was found and still is so. */
  findings: z.record(z.string(), findingSchema),
})

/** What the monitor remembers of a log. */
export type MonitorState = z.infer<typeof stateSchema>

/** Something that is wrong with a log, and was reported. */
export type ReportedFinding = z.infer<typeof findingSchema>

/** The state before the first look at a service. */
export function createMonitorState(service: string): MonitorState {
  return {
    ...{ version: 1, service, logId: null, logKey: null, handovers: [], head: null },
    ...{ records: {}, nextRecord: 0, recordsReadAt: 0, unproven: {} },
    ...{ uncheckedSince: null, findings: {} },
  }
}

/**
 * Reads the state of an earlier run; a new one if the file does not exist.
 *
 * @throws UsageError for a damaged file, because starting again would forget the log; and for that of another service.
 */
export function readMonitorState(file: string, service: string): MonitorState {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return createMonitorState(service)
    throw new UsageError(`The state file ${file} cannot be read.`, { cause: error })
  }
  const state = stateSchema.safeParse(parseJson(text))
  if (!state.success) throw new UsageError(`${file} is not a state file of the monitor.`)
  if (state.data.service === service) return state.data
  throw new UsageError(`${file} is about ${state.data.service}: use one state file for each service.`)
}

/** Replaces the state file atomically; a power cut leaves the old or the new one. */
export function writeMonitorState(file: string, state: MonitorState): void {
  mkdirSync(dirname(file), { recursive: true })
  const written = `${file}.${process.pid}.tmp`
  const descriptor = openSync(written, 'w', 0o600)
  try {
    writeSync(descriptor, JSON.stringify(state))
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(written, file)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
