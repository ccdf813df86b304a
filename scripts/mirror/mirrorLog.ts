import { findExtensionFault } from '../../cli/audit/findExtensionFault.ts'
import type { VerifierKey } from '../../cli/audit/parseVerifierKey.ts'
import { checkCheckpoint } from '../../cli/monitor/checkCheckpoint.ts'
import { readExtension } from '../../cli/monitor/checkExtension.ts'
import { createFinding, type Finding } from '../../cli/monitor/findings.ts'
import { followLogKey } from '../../cli/monitor/followLogKey.ts'
import { type MonitoredService, Unchecked } from '../../cli/monitor/openMonitoredService.ts'
import { parseShownKey, readShownKey } from '../../cli/monitor/readShownKey.ts'
import type { Receipt } from '../../server/chain/chainTypes.ts'
import type { MirrorChain } from './openMirrorChain.ts'

type Input = {
  logId: string
  /** Reads everything about this log. */
  service: MonitoredService
  chain: MirrorChain
  contract: `0x${string}`
  /** Key that must have signed the checkpoint, or have handed over to one that did; null takes the one of the service. */
  logKey: VerifierKey | null
}

/** What became of one log. */
export type Mirrored =
  /** Nothing of the log is final yet. */
  | { kind: 'empty' }
  /** The mirror already has the newest head. */
  | { kind: 'current'; size: number }
  | { kind: 'extended'; size: number; root: string; receipt: Receipt }
  /** The service shows what must not be mirrored. */
  | { kind: 'refused'; findings: Finding[] }

const WITHOUT_WITNESSES = { witnesses: [], cosignatures: 0, maxAgeMs: 0, now: 0 }

/**
 * Brings the mirror of a log to the newest checkpoint: a head that is final on the log's own chain and that the log signed.
 *
 * What does not extend the mirror is refused here, and would be by the contract: once a head is mirrored, the log cannot be
 * rewritten before it on both chains.
 *
 * @throws Unchecked if the service shows too little, and the errors of `MirrorChain`.
 */
export async function mirrorLog({ logId, service, chain, contract, logKey }: Input): Promise<Mirrored> {
  const key = await readShownKey(service)
  const pinned = logKey ?? parseShownKey(key.verifierKey, logId)
  const followed = followLogKey({ pinned, remembered: [], shown: key.handovers })
  const checked = await checkCheckpoint({
    ...{ service, logId, logKey: followed.current, formerKeys: followed.former },
    ...{ required: WITHOUT_WITNESSES, signed: [], pause: async () => undefined },
  })
  const findings = [...followed.findings, ...checked.findings]
  if (findings.length > 0) return { kind: 'refused', findings }

  const mirrorId = chain.idOf(logId)
  const head = await chain.readHead(contract, mirrorId)
  const { shown } = checked
  if (shown === null && head.size === 0) return { kind: 'empty' }
  if (shown === null)
    throw new Unchecked(`the service shows no checkpoint, but the mirror has ${head.size} records`)
  const { size, root, note } = shown
  const rewritten = (why: string): Mirrored => {
    const text = `the log was rewritten: its checkpoint of ${size} records does not extend the mirror, which has ${head.size}; ${why}`
    return { kind: 'refused', findings: [createFinding('rewritten', text, [note])] }
  }
  if (size < head.size)
    throw new Unchecked(`the newest checkpoint has ${size} records, but the mirror has ${head.size}`)
  if (size === head.size && root === head.root) return { kind: 'current', size }
  if (size === head.size)
    return rewritten(`at ${size} records its root is ${root}, but the mirror has ${head.root}`)
  const proof = head.size === 0 ? [] : await readProof(service, [head, shown])
  if (!Array.isArray(proof)) return rewritten(proof.fault)
  if (head.operator === null) await chain.open(contract, mirrorId)
  const receipt = await chain.extend(contract, mirrorId, { from: head, to: shown, proof })
  return { kind: 'extended', size, root, receipt }
}

type Point = { size: number; root: string }

/** Reads the proof that one head extends another, or why it does not show that. */
async function readProof(
  service: MonitoredService,
  [from, to]: readonly [Point, Point & { note: string }],
): Promise<string[] | { fault: string }> {
  const document = await readExtension(service, [from, to], [to.note])
  const fault = findExtensionFault(from, to, document)
  return fault === null ? document.consistencyProof : { fault }
}
