import type { ProofCause } from '@svc/core/access/failureCauses.ts'
import { NO_PROOF, type PresentedProof } from '@svc/core/access/identityProof.ts'
import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { foreignAccountOf } from '@svc/core/foreign/foreignAccountOf.ts'
import { accountRevocationOf } from '@svc/core/signing/accountRevocationOf.ts'
import { readSigningAddress } from '@svc/core/signing/readSigningAddress.ts'
import type { CheckedProof, PresentedKind } from '../../../external/proofs/createProofVerifier.ts'
import type { ApprovalState, EarlierUse, ProofUse } from '../../../store/recorder/recorder.ts'
import type { VerifiableAgent } from '../parties/verifiableAgent.ts'
import type { VerifiableEndpoint } from '../parties/verifiableEndpoint.ts'
import { causeOfFault } from './causeOfFault.ts'
import { isLateToken, tokenUseIdOf } from './heldToken.ts'
import { keyRevocationOf } from './keyRevocationOf.ts'
import { proofIdOf, reportedProofIdOf } from './proofIdOf.ts'

/** A checked proof, with the identifiers under which its uses, and revocations of its keys and accounts, are stored. */
export type NamedProof = Omit<CheckedProof, 'uses'> & {
  uses: readonly (CheckedProof['uses'][number] & { proof: string; reported: string | null })[]
  /** Where it is presented: at an endpoint, or to its owner if it is not stored. */
  place: string
  /** Key ids of those who signed. */
  signers: readonly string[]
  /** Of the keys and accounts that signed, and last of the account that obtained the token. */
  revocations: readonly string[]
  /** The first account of these, as receipts store it, with its revocation. */
  account: { address: string; revocation: string } | null
}

/** Names the uses of a proof once, because each name is a hash and is needed several times. */
export function nameUses(
  agent: Signed,
  { id: endpointId, ownerId: counterpartyOwnerId }: Pick<VerifiableEndpoint, 'id' | 'ownerId'>,
  { uses, ...checked }: CheckedProof,
): NamedProof {
  const { svcId: agentId, ownerId } = agent
  const signers = uses.map(({ key }) => key.slice(0, key.indexOf(' ')))
  const keys = signers.filter((kid) => readSigningAddress(kid) === undefined)
  const addresses = signers.flatMap((kid) => readSigningAddress(kid) ?? [])
  const ownAccount = (address: string) => ({ address, revocation: accountRevocationOf({ ownerId, address }) })
  const accounts = [
    ...(agent.hasForeignAccounts ? listForeignAccounts(agent, addresses) : addresses.map(ownAccount)),
    ...(checked.obtainer === null ? [] : [ownAccount(checked.obtainer)]),
  ]
  return {
    ...checked,
    place: endpointId ?? counterpartyOwnerId,
    signers,
    uses: uses.map((use) => ({
      ...use,
      proof: proofIdOf(use),
      reported: reportedProofIdOf(use, endpointId),
    })),
    revocations: [
      ...keys.map((kid) => keyRevocationOf({ agentId, kid })),
      ...accounts.map(({ revocation }) => revocation),
    ],
    account: accounts[0] ?? null,
  }
}

type Signed = Pick<VerifiableAgent, 'svcId' | 'ownerId' | 'hasForeignAccounts' | 'adopted'>

/**
 * The accounts of an agent of another registry are those that its chain names, whatever its owner has linked here. Nobody
 * follows the token of one that nobody adopted.
 */
function listForeignAccounts({ svcId: agentId, adopted }: Signed, addresses: readonly string[]) {
  if (adopted === null) return []
  const accounts = addresses.map((address) => foreignAccountOf(adopted.name, address))
  return accounts.map((address) => ({ address, revocation: keyRevocationOf({ agentId, kid: address }) }))
}

type Settling = {
  /** Null if the request presents nothing. */
  checked: NamedProof | null
  attemptId: string | undefined
  /** The approval of this attempt; expired and consumed ones are null. */
  heldFor: ApprovalState | null
  earlierUses: ReadonlyMap<string, EarlierUse>
}

/**
 * Settles what a request proves, now that the earlier uses of its proofs are known: each is good once, and only while its
 * key or account is not revoked.
 *
 * A request that was held for approval may come again with the same proof, which then may also have expired meanwhile: a
 * gateway that waits for the owner has no other.
 */
export function settleProof(settling: Settling): PresentedProof {
  const { checked } = settling
  if (checked === null) return NO_PROOF
  const wrong = findWrong(checked, settling)
  return wrong === null
    ? { grade: checked.grade, isWrong: false }
    : { grade: 'none', isWrong: true, cause: wrong.cause }
}

/** Names the part of a proof that does not hold; only with its cause, since a fault that is not told must not show. */
export function nameWrongProof(settling: Settling): PresentedKind | undefined {
  const wrong = settling.checked && findWrong(settling.checked, settling)
  return wrong?.cause && wrong.kind
}

type Wrong = { kind: PresentedKind; cause: ProofCause | undefined }

/** The part of a proof that does not hold, and the cause that callers are told; null if all of it holds. */
function findWrong(checked: NamedProof, settling: Settling): Wrong | null {
  const { fault, faulty } = checked
  if (fault === null || faulty === null) return findLateWrong(checked, settling)
  return { kind: faulty, cause: causeOfFault(fault) }
}

/** The part of a proof that holds by itself but not now; null if all of it still holds. */
function findLateWrong(checked: NamedProof, settling: Settling): Wrong | null {
  const { revocations, uses, obtainer } = checked
  const { earlierUses } = settling
  const revoked = revocations.findIndex((revocation) => earlierUses.has(revocation))
  if (revoked >= 0) {
    const isOfToken = obtainer !== null && revoked === revocations.length - 1
    return { kind: isOfToken ? 'token' : 'signature', cause: 'revoked_key' }
  }
  const isReplayed = ({ proof, reported }: NamedProof['uses'][number]) => {
    if (reported !== null && earlierUses.has(reported)) return true
    const earlier = earlierUses.get(proof)
    return earlier !== undefined && !isHeldWith(earlier, settling)
  }
  for (const use of uses) {
    if (isReplayed(use)) return { kind: 'signature', cause: 'replayed' }
    if (use.hasExpired && !earlierUses.has(use.proof)) return { kind: 'signature', cause: 'expired' }
  }
  if (isLateToken(checked, settling)) return { kind: 'token', cause: 'expired' }
  return null
}

/** Whether the request was held with a proof, for the approval that is found for it. */
function isHeldWith({ reusableFor, expiresAt }: EarlierUse, { attemptId, heldFor }: Settling): boolean {
  if (reusableFor === null || heldFor === null) return false
  if (reusableFor === reuseFor(heldFor.id)) return true
  // The former release stored the attempt, a name that the counterparty may use at another endpoint, too.
  return reusableFor === attemptId && expiresAt === heldFor.expiresAt
}

/** What is stored of a proof with which a request waits for an approval. No attempt id, which is a UUID, reads like it. */
function reuseFor(approvalId: string): string {
  return `approval ${approvalId}`
}

/** What the recorder has to look up before the decision. */
export function listProofIds({
  checked,
  request,
}: Pick<Settling, 'checked'> & { request: Pick<VerificationRequest, 'attemptId'> }): string[] {
  if (checked === null) return []
  const { uses, revocations } = checked
  const token = tokenUseIdOf(checked, request.attemptId)
  return [
    ...uses.flatMap(({ proof, reported }) => (reported === null ? [proof] : [proof, reported])),
    ...(token === undefined ? [] : [token]),
    ...revocations,
  ]
}

type Using = Pick<Settling, 'checked' | 'earlierUses'> & Pick<PresentedProof, 'isWrong'>

/**
 * The uses to store: of a held request, with its approval and for as long as the owner may take. If another approval
 * replaces it, because the owner has to be asked for more, the proof is kept for that one.
 *
 * A proof with which a request was held is used up as soon as the request is decided, whether or not it still needs the
 * owner’s approval then. Only where it holds: whoever copies it for another attempt must not use it up.
 */
export function buildProofUses(
  { checked, earlierUses, isWrong }: Using,
  held: { approvalId: string; expiresAt: number } | null,
): (ProofUse & EarlierUse)[] {
  return (checked?.uses ?? []).flatMap(({ proof, expiresAt }) => {
    const earlier = earlierUses.get(proof)
    const reusableFor = held && reuseFor(held.approvalId)
    if (earlier !== undefined && (isWrong || earlier.reusableFor === reusableFor)) return []
    const lasting = Math.max(expiresAt, held?.expiresAt ?? 0)
    return [{ proof, expiresAt: lasting, reusableFor, wasHeld: earlier !== undefined }]
  })
}
