import type { HealthCheck } from '@svc/core/contract/service.ts'
import type { BatchStore } from '../../store/audit/batchStore.ts'
import type { WitnessHead, WitnessStore } from '../../store/audit/witnessStore.ts'

/** How long a witness may fail before an operator should look. */
const PATIENCE_MS = 10 * 60 * 1000

export type CheckWitnessesDeps = {
  witnesses: Pick<WitnessStore, 'heads'>
  /** Ids of the configured witnesses. */
  ids: readonly string[]
  /** Opens all logs, each with the origin of its checkpoints. */
  logsOf: () => Promise<readonly WitnessedBatches[]>
}

type WitnessedBatches = { batches: Pick<BatchStore, 'lastConfirmed'>; origin: () => Promise<string> }

/** The state of one witness; records that it has not cosigned, of all logs, and what it fails at first. */
export type WitnessState = {
  witness: string
  behind: number
  failingSince: number | null
  fault: string | null
}

/** Reads the state of every configured witness. */
export async function readWitnessStates(deps: CheckWitnessesDeps): Promise<WitnessState[]> {
  const states = new Map<string, WitnessState>(
    deps.ids.map((witness) => [witness, { witness, behind: 0, failingSince: null, fault: null }]),
  )
  for (const { batches, origin } of await deps.logsOf()) {
    const size = (await batches.lastConfirmed())?.newSize ?? 0
    const heads = await deps.witnesses.heads(await origin(), deps.ids)
    const byId = new Map<string, WitnessHead>(heads.map((head) => [head.witness, head]))
    for (const state of states.values()) {
      const head = byId.get(state.witness)
      state.behind += Math.max(0, size - (head?.size ?? 0))
      const since = head?.failingSince ?? null
      if (since === null || (state.failingSince !== null && state.failingSince <= since)) continue
      state.failingSince = since
      state.fault = head?.fault ?? null
    }
  }
  return [...states.values()]
}

/** Checks whether the witnesses cosign. It never fails the service, which needs none of them. */
export async function checkWitnesses(deps: CheckWitnessesDeps, now: number): Promise<HealthCheck> {
  const states = await readWitnessStates(deps)
  const failing = states.filter(
    ({ failingSince }) => failingSince !== null && now - failingSince > PATIENCE_MS,
  )
  const cosigning = states.filter(({ behind }) => behind === 0).length
  const observed = { witnesses: states.length, cosigned: cosigning }
  const [first] = failing
  if (first === undefined) return { status: 'pass', observed }
  return { status: 'warn', detail: `${first.witness} ${first.fault}`, observed }
}
