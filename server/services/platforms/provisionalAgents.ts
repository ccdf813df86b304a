import { encodeHex } from '@svc/core/bytes.ts'
import { deriveProvisionalAgentIdentifier } from '@svc/core/ids/derivedIdentifiers.ts'
import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import { hashPdlss } from '@svc/core/pdlss/hashPdlss.ts'
import type { Platform } from '@svc/core/platforms/platform.ts'
import type { AgentRow, AgentStore } from '../../store/agents/agentStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import { createAuditRecord } from '../audit/createAuditRecord.ts'

export type ProvisionalAgentsDeps = {
  db: Pick<Db, 'transaction'>
  agents: Pick<AgentStore, 'bySvcId' | 'insert'>
  records: Pick<AuditRecordStore, 'append'>
  randomBytes: (length: number) => Uint8Array
}

export type ProvisionalAgents = ReturnType<typeof createProvisionalAgents>

/**
 * Creates provisional agents, one per recognised platform, when it is first seen.
 *
 * Nobody owns them, and their status admits no request that names one. After the first time, a platform costs one Map
 * look-up. Simultaneous first requests wait for one transaction; across processes, the unique identifier admits one.
 *
 * Source: Spec: Verification response, anonymous branch.
 */
export function createProvisionalAgents(deps: ProvisionalAgentsDeps) {
  const known = new Map<string, string | Promise<string>>()

  async function provide(platform: Platform, now: number): Promise<string> {
    try {
      const svcId = await storeOnce(deps, platform, now)
      known.set(platform.id, svcId)
      return svcId
    } catch (error) {
      known.delete(platform.id)
      throw error
    }
  }

  /** `dryRun` returns the identifier and stores nothing. */
  return (platform: Platform, now: number, dryRun: boolean): string | Promise<string> => {
    const svcId = known.get(platform.id)
    if (svcId !== undefined) return svcId
    if (dryRun) return deriveProvisionalAgentIdentifier(platform.id)
    const provided = provide(platform, now)
    known.set(platform.id, provided)
    return provided
  }
}

async function storeOnce(deps: ProvisionalAgentsDeps, platform: Platform, now: number): Promise<string> {
  const svcId = deriveProvisionalAgentIdentifier(platform.id)
  const row = buildProvisionalAgent(svcId, platform, now, deps.randomBytes)
  try {
    await deps.db.transaction(async (trx) => {
      if (await deps.agents.bySvcId(svcId, trx)) return
      await deps.agents.insert(trx, row)
      await deps.records.append(trx, buildProvisionedRecord(row, platform, deps.randomBytes))
    })
  } catch (error) {
    // Another process created it first.
    if (!(await deps.agents.bySvcId(svcId))) throw error
  }
  return svcId
}

function buildProvisionalAgent(
  svcId: string,
  platform: Platform,
  now: number,
  randomBytes: (length: number) => Uint8Array,
): AgentRow {
  const pdlssSalt = encodeHex(randomBytes(16))
  return {
    id: generateUuidV7(now, randomBytes(10)),
    svcId,
    ownerId: SYSTEM_OWNER,
    status: 'provisional',
    name: platform.name,
    description: `Stands for requests recognised as those of ${platform.operator}; registered by nobody.`,
    agentType: null,
    apiEndpoint: null,
    image: null,
    model: null,
    framework: null,
    protocols: [],
    declarations: {},
    pdlss: {},
    pdlssSalt,
    pdlssHash: hashPdlss(pdlssSalt, {}),
    approvalRules: [],
    minIdentityProof: null,
    requiredFacts: [],
    certifications: [],
    signerAddress: null,
    blockchainStatus: 'unverified',
    chainAgentId: null,
    chainRegistry: null,
    chainTransaction: null,
    chainBlock: null,
    registrationFileHash: null,
    challengePassedAt: null,
    parentAgentId: null,
    isHeld: false,
    createdAt: now,
    updatedAt: now,
  }
}

function buildProvisionedRecord(
  agent: AgentRow,
  platform: Platform,
  randomBytes: (length: number) => Uint8Array,
) {
  return createAuditRecord(
    {
      eventType: 'agent.provisioned',
      ownerId: agent.ownerId,
      counterpartyOwnerId: null,
      agentId: agent.svcId,
      endpointId: null,
      policyHashes: { agent: agent.pdlssHash, endpoint: null },
      eventData: { agentName: agent.name, platform: platform.id, operator: platform.operator },
      inputs: { platform: platform.id },
    },
    agent.createdAt,
    randomBytes,
  )
}

/** Owner of what the service itself provides: an identifier that no account can have, so that nobody can act for it. */
export const SYSTEM_OWNER = `SVCO-${'0'.repeat(22)}`
