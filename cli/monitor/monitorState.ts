import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseJson } from '@svc/core/parseJson.ts'
import { z } from 'zod'
import { UsageError } from '../terminal/usageError.ts'

/** A head of a log, and the checkpoint in which the log signed it. */
const headSchema = z.object({ size: z.number(), root: z.string(), note: z.string() })

const findingSchema = z.object({
  id: z.string(),
  /** The log that it concerns; null if it concerns none in particular. */
  log: z.string().nullable(),
  text: z.string(),
  /** Epoch milliseconds. */
  since: z.number(),
  /** Whether its alert was delivered. */
  isDelivered: z.boolean(),
  /** Signed documents that show it. */
  evidence: z.array(z.string()),
})

const logSchema = z.object({
  /** The key of its checkpoints, as first seen; null if it was given. */
  key: z.string().nullable(),
  /** Signed hand-overs from that key to those that signed accepted checkpoints, oldest first. */
  handovers: z.array(z.string()),
  /** The newest checkpoint that was signed and extended the one before, and that the chain has if it is asked. */
  head: headSchema.nullable(),
  /** The first checkpoint after it that was signed, but that the chain has not confirmed. */
  unanchored: headSchema.nullable(),
  /** Numbers of the own records that were seen, by identifier. */
  records: z.record(z.string(), z.number()),
  /** All numbers below were read from the export at some time. */
  readTo: z.number(),
  /** The number from which it is read next: lower if something there was wrong, or while it is read again. */
  nextRecord: z.number(),
  /** Whether the export is being read again from its beginning. */
  isRereading: z.boolean(),
  /** When that was last completed; epoch milliseconds. */
  rereadAt: z.number(),
  /** Since when the log could not be checked; null if the last check was complete. */
  uncheckedSince: z.number().nullable(),
})

const stateSchema = z.object({
  version: z.literal(2),
  service: z.string(),
  /** By the id of the log. */
  logs: z.record(z.string(), logSchema),
  /** Where the proofs of received records placed them, by identifier. */
  received: z.record(z.string(), z.object({ log: z.string(), number: z.number() })),
  /** When received records without a proof were first missed, by identifier. */
  unproven: z.record(z.string(), z.number()),
  /** Since when something that concerns no single log could not be checked. */
  uncheckedSince: z.number().nullable(),
  /** What was found and still is so, or has not been acknowledged. */
  findings: z.record(z.string(), findingSchema),
})

/** An accepted checkpoint. */
export type Head = z.infer<typeof headSchema>

/** What the monitor remembers of a service. */
export type MonitorState = z.infer<typeof stateSchema>

/** What the monitor remembers of one of its logs. */
export type LogState = z.infer<typeof logSchema>

/** Something that is wrong with a log, and was reported. */
export type ReportedFinding = z.infer<typeof findingSchema>

/** The state before the first look at a service. */
export function createMonitorState(service: string): MonitorState {
  return {
    ...{ version: 2, service, logs: {}, received: {}, unproven: {} },
    ...{ uncheckedSince: null, findings: {} },
  }
}

/** The state before the first look at a log. */
export function createLogState(): LogState {
  return {
    ...{ key: null, handovers: [], head: null, unanchored: null },
    ...{ records: {}, readTo: 0, nextRecord: 0, isRereading: false, rereadAt: 0, uncheckedSince: null },
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
  if (!state.success) throw new UsageError(`${file} is not a state file of this version of the monitor.`)
  if (state.data.service === service) return state.data
  throw new UsageError(`${file} is about ${state.data.service}: use one state file for each service.`)
}

/**
 * Replaces the state file atomically; a power cut leaves the old or the new one.
 *
 * @throws UsageError if it cannot be written.
 */
export function writeMonitorState(file: string, state: MonitorState): void {
  try {
    replaceFile(file, JSON.stringify(state))
  } catch (cause) {
    throw new UsageError(`The state file ${file} cannot be written.`, { cause })
  }
}

function replaceFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const written = `${file}.${process.pid}.tmp`
  const descriptor = openSync(written, 'w', 0o600)
  try {
    writeFileSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(written, file)
}
