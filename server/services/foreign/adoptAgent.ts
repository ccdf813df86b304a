import { deriveCredentialLookupKey } from '@svc/core/credentials/deriveCredentialLookupKey.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import { encodeAgentIdentifier } from '@svc/core/ids/identifiers.ts'
import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import { writeAdoptionStatement } from '@svc/core/signing/writeAdoptionStatement.ts'
import { apiError, validationError } from '../../errors.ts'
import type { AdoptionStore } from '../../store/agents/adoptionStore.ts'
import type { AgentRow } from '../../store/agents/agentStore.ts'
import type { CredentialStore } from '../../store/agents/credentialStore.ts'
import type { OwnerFactsStore } from '../../store/agents/ownerFactsStore.ts'
import { buildAgentRecord } from '../agents/buildAgentRecord.ts'
import { storeFirstKeys } from '../agents/keys/storeFirstKeys.ts'
import type { TakeOverKeyDeps } from '../agents/keys/takeOverKey.ts'
import { type VerifyKeyProofsDeps, verifyKeyProofs } from '../agents/keys/verifyKeyProofs.ts'
import { type AgentRegistration, checkChallengeUrl } from '../agents/registration/agentRegistration.ts'
import { createAgentRow } from '../agents/registration/createAgentRow.ts'
import type { RegistrationBudgets } from '../agents/registration/registerAgent.ts'
import { commitRegistrationFile } from '../agents/registrationFile/commitRegistrationFile.ts'
import type { Once } from '../idempotency/answerOnce.ts'
import type { SessionPrincipal } from '../principal.ts'
import { requireWriter } from '../requireWriter.ts'
import type { WaitForHost } from '../waitForHost.ts'
import type { ForeignReader } from './createForeignReader.ts'
import { closeAdoption, type EndAdoptionDeps, renewAfterClosing } from './endAdoption.ts'
import type { ForeignAgent } from './foreignAgent.ts'
import { readForAdoption, refuseToken, STATEMENT_SECONDS } from './openAdoption.ts'

type Trx = Parameters<AdoptionStore['insert']>[0]

export type AdoptAgentDeps = Omit<EndAdoptionDeps, 'adoptions' | 'credentials'> &
  TakeOverKeyDeps &
  VerifyKeyProofsDeps & {
    reader: ForeignReader
    /** Whether the owner of a token signed a text: by its key, or as a contract on the chain of the token. */
    isSignedByOwner(claim: { agent: ForeignAgent; text: string; signature: string }): Promise<boolean>
    adoptions: AdoptionStore
    credentials: CredentialStore
    owners: Pick<OwnerFactsStore, 'personBehind'>
    budgets: RegistrationBudgets
  }

export type AdoptAgentInput = {
  token: string
  organizationId?: string | undefined
  /** Unix seconds, as signed. */
  expiresAt: number
  signature: string
  /** Proofs that the caller holds keys of the registration, made for the token. */
  keyProofs: readonly string[]
  /** By default, the name and the description of the agent's registration file. */
  registration: Omit<AgentRegistration, 'name' | 'onChain' | 'parentAgentId'> & { name: string | undefined }
  principal: SessionPrincipal
  ip: string
  now: number
  once: Once
  waitForHost: WaitForHost
}

/**
 * Adopts an agent of another registry for the caller's account or organisation: boundary, approval rules and keys are kept
 * here, its token stays where it is.
 *
 * The owner of the token proves with a signature that names this account and this service, so nobody else can present it.
 * An earlier adoption ends if the token has another owner since, or if its agent is retired. Nothing is minted.
 *
 * @returns The stored agent.
 * @throws ApiError VALIDATION_ERROR as `readForAdoption`, and for a statement that has expired or is not the owner's; as
 * `requireWriter` and `WaitForHost`; KEY_TAKEN, RATE_LIMITED, CHAIN_UNAVAILABLE. Source: docs/foreign-agents.md.
 */
export async function adoptAgent(deps: AdoptAgentDeps, input: AdoptAgentInput): Promise<AgentRow> {
  const { principal, registration, ip, now } = input
  const ownerId = input.organizationId ?? principal.developerId
  requireWriter(principal, ownerId)
  checkChallengeUrl(registration, deps.settings.allowPrivateNetwork)
  const agent = await readForAdoption(deps.reader, input, { isFresh: true })
  await checkStatement(deps, { ...input, ownerId, agent })
  const { keyProofs } = input
  const { keys = [] } = registration
  const provenKids = await verifyKeyProofs(deps, { keys, keyProofs, agentName: agent.token, now })
  const { row, closed } = await input.once(async () => {
    await deps.budgets.ofNetwork.take(ip, now)
    await deps.budgets.ofAccount.take((await deps.owners.personBehind(ownerId)) ?? principal.userId, now)
    return deps.db.transaction((trx) => storeAdopted(deps, trx, { ...input, ownerId, agent, provenKids }))
  })
  await renewAfterClosing(deps, closed)
  deps.onAgentChanged(row.svcId)
  await deps.publishFile(row.svcId)
  return row
}

type Stated = AdoptAgentInput & { ownerId: string; agent: ForeignAgent }

type Adopting = Stated & { provenKids: ReadonlySet<string> }

async function checkStatement(
  deps: AdoptAgentDeps,
  { agent, ownerId, expiresAt, signature, now }: Stated,
): Promise<void> {
  const seconds = Math.floor(now / 1000)
  if (expiresAt <= seconds || expiresAt > seconds + STATEMENT_SECONDS) {
    const message = `has passed, or is more than ${STATEMENT_SECONDS} seconds away`
    throw validationError([{ pointer: '/expiresAt', code: 'untimely', message }])
  }
  const service = deps.settings.publicUrl
  const text = writeAdoptionStatement({ service, token: agent.token, ownerIdentifier: ownerId, expiresAt })
  if (await deps.isSignedByOwner({ agent, text, signature })) return
  const message = `is not a signature of the statement by the owner of the token, ${agent.state.owner}`
  throw validationError([{ pointer: '/signature', code: 'not_owner', message }])
}

async function storeAdopted(deps: AdoptAgentDeps, trx: Trx, adopting: Adopting) {
  const { agent, provenKids, now } = adopting
  const { agentRegistry, agentId } = agent.name
  const before = await deps.adoptions.ofToken({ agentRegistry, agentId }, trx)
  let closed: Awaited<ReturnType<typeof closeAdoption>> = { agents: [], lookupKeys: [] }
  if (before !== null) {
    const former = await deps.agents.bySvcId(before.agentId, trx)
    const isSameOwner = before.owner === agent.state.owner
    if (isSameOwner && former?.status !== 'retired') throw refuseToken('adopted')
    // A node that is behind still names a former owner, who must not displace the present one.
    if (!isSameOwner && agent.state.block <= before.adoptedBlock) throw apiError('CHAIN_UNAVAILABLE')
    const transfer = { newOwner: agent.state.owner, block: agent.state.block }
    closed = await closeAdoption(deps, trx, { svcId: before.agentId, ...transfer, now })
  }
  const row = buildAdoptedRow(deps, adopting)
  await deps.agents.insert(trx, row)
  const { keys = [] } = adopting.registration
  const lost = await storeFirstKeys(deps, trx, { agent: row, keys, provenKids, now })
  await deps.adoptions.insert(trx, {
    agentId: row.svcId,
    agentRegistry,
    tokenId: agentId,
    owner: agent.state.owner,
    adoptedBlock: agent.state.block,
    wallet: agent.state.wallet,
    walletBlock: agent.state.block,
    feedbackReadAt: now,
  })
  await storeToken(deps, trx, row, agent, now)
  await deps.records.append(trx, buildAdoptedRecord(deps, row, adopting))
  await commitRegistrationFile(deps, trx, row, now)
  const stored = await deps.agents.bySvcId(row.svcId, trx)
  return { row: stored ?? row, closed: { ...closed, agents: [...closed.agents, ...lost] } }
}

function buildAdoptedRow(
  { settings }: AdoptAgentDeps,
  { agent, registration, ownerId, now }: Adopting,
): AgentRow {
  const { file } = agent
  const described = {
    ...registration,
    name: registration.name ?? file.name,
    description: registration.description ?? file.description,
    image: registration.image ?? file.image,
    onChain: null,
    parentAgentId: null,
  }
  const svcId = encodeAgentIdentifier(settings.randomBytes(16))
  const row = createAgentRow(
    { svcId, registration: described, signerAddress: null, ownerId, now },
    settings.randomBytes,
  )
  return {
    ...row,
    // Stored, because a release that does not know adoptions must not grant access to a name without proof.
    minIdentityProof: 'signature',
    blockchainStatus: 'verified',
    foreignToken: agent.token,
    foreignFeedback: agent.feedback,
  }
}

/** The token identifies the agent when it is presented, like a third-party credential. */
async function storeToken(
  { credentials, settings }: AdoptAgentDeps,
  trx: Trx,
  { svcId }: AgentRow,
  { token, state }: ForeignAgent,
  now: number,
): Promise<void> {
  const lookupKey = deriveCredentialLookupKey('erc8004', token)
  if (lookupKey === null) throw new Error('the name of a foreign agent is malformed')
  await credentials.insert(trx, {
    ...{ id: generateUuidV7(now, settings.randomBytes(10)), agentId: svcId, type: 'erc8004', lookupKey },
    ...{ claimKey: sha256Hex(`erc8004\n${token}`), subject: token, issuer: state.owner },
    ...{ algorithm: 'EIP-191', validFrom: null, expiresAt: null, createdAt: now },
  })
}

function buildAdoptedRecord(
  { settings }: AdoptAgentDeps,
  row: AgentRow,
  { agent, principal, ...given }: Adopting,
) {
  const { owner, block } = agent.state
  const { name, description, agentType, apiEndpoint, image, model, framework, protocols, pdlss } = row
  return buildAgentRecord(
    row,
    {
      eventType: 'agent.adopted',
      eventData: { token: agent.token, tokenOwner: owner, block },
      inputs: {
        ...{ adoptedBy: principal.userId, token: agent.token, tokenOwner: owner, block },
        ...{ expiresAt: given.expiresAt, signature: given.signature },
        ...{ name, description, agentType, apiEndpoint, image, model, framework, protocols, pdlss },
        declarations: row.declarations,
      },
    },
    { now: given.now, randomBytes: settings.randomBytes },
  )
}
