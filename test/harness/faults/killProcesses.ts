import { setTimeout as pause } from 'node:timers/promises'
import type { Processes } from '../service/startProcesses.ts'
import type { FaultRun } from './createFaultRun.ts'
import { faultMode } from './faultMode.ts'

/** The longest time between two kills; the shortest is half of it. */
const EVERY_MS = { none: 1_000, short: 1_500, full: 5_000 }[faultMode]
/** Processes and sessions of sequencers, in turn. */
const ENOUGH = { none: 3, short: 5, full: 20 }[faultMode]

type Kills = {
  processes: number
  /** Database sessions that give records their places; each was ended while it did, if one was found doing so. */
  sequencers: number
  /** Processes that were the relayer. */
  relayers: number
}

/**
 * Kills the processes in turn with SIGKILL and starts each of them again; between two of them it ends the database session
 * that gives records their places. Each process relays until it is killed, so the relayer is killed as well. A process that
 * does not start again ends the run.
 */
export function killProcesses(running: Processes, run: Pick<FaultRun, 'signal' | 'fail'>) {
  const kills: Kills = { processes: 0, sequencers: 0, relayers: 0 }
  let isStopped = false
  let holder: string | undefined
  let rounds = 0

  async function endSequencer(): Promise<void> {
    const ended = await running.rows(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'svc-sequencer'
      ORDER BY (state = 'idle'), state_change DESC LIMIT 1`)
    kills.sequencers += ended.length
  }

  async function countRelayers(): Promise<void> {
    const [lease] = await running.rows<{ holder: string }>(`SELECT holder FROM leases WHERE name = 'relayer'`)
    if (holder !== undefined && lease !== undefined && lease.holder !== holder) kills.relayers += 1
    holder = lease?.holder
  }

  /** Starts it again, as a supervisor does: repeatedly while the database is too busy for a start. */
  async function restart(victim: number): Promise<void> {
    for (;;) {
      try {
        return await running.restart(victim)
      } catch (error) {
        if (run.signal.aborted || !String(error).includes('cannot be recorded at the moment')) throw error
      }
    }
  }

  async function killInTurn(): Promise<void> {
    while (!isStopped && !run.signal.aborted) {
      await pause(EVERY_MS * (0.5 + Math.random() / 2))
      await countRelayers()
      if (rounds % 2 === 1) await endSequencer()
      else {
        const victim = (rounds / 2) % running.services.length
        await running.services[victim]?.end('SIGKILL')
        kills.processes += 1
        await restart(victim)
      }
      rounds += 1
    }
  }

  const killing = killInTurn().catch(run.fail)
  return {
    /** Whether every kind of kill has happened often enough. */
    areEnough: () => rounds >= ENOUGH,
    /** Stops killing; resolves with the number of kills once every process runs again. */
    async stop(): Promise<Kills> {
      isStopped = true
      await killing
      return kills
    },
  }
}
