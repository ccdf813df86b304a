import { randomBytes } from 'node:crypto'
import { encodeHex } from '@svc/core/bytes.ts'
import { buildRegisterForTypedData } from '@svc/core/signing/buildRegisterForTypedData.ts'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Hex } from '../../../../server/chain/chainTypes.ts'
import { drawLogId } from '../../../../server/services/chain/drawLogId.ts'
import { createHandlers } from '../../../../server/services/relayer/createHandlers.ts'
import { intentKey } from '../../../../server/services/relayer/intents.ts'
import { createRelayerLease } from '../../../../server/services/relayer/lease.ts'
import type { RelayerDeps, RelayerPolicy } from '../../../../server/services/relayer/relayerDeps.ts'
import { relayOnce } from '../../../../server/services/relayer/relayOnce.ts'
import { replaceLogId } from '../../../../server/services/relayer/replaceLogId.ts'
import { createAgentStore } from '../../../../server/store/agents/agentStore.ts'
import { createAnchorStore } from '../../../../server/store/audit/anchorStore.ts'
import { createBatchStore } from '../../../../server/store/audit/batchStore.ts'
import { createLogStore } from '../../../../server/store/audit/logStore.ts'
import { createLeaseStore } from '../../../../server/store/database/locks/leaseStore.ts'
import { createInterventionStore } from '../../../../server/store/operator/interventionStore.ts'
import { createOutboxStore } from '../../../../server/store/relayer/outboxStore.ts'
import { createTransactionStore } from '../../../../server/store/relayer/transactionStore.ts'
import { buildAgentRow } from '../../../builders/buildAgentRow.ts'
import { buildNaiveTree } from '../../../core/audit/buildNaiveTree.ts'
import { leafAt } from '../../../core/audit/buildStoredTree.ts'
import { openTemporaryDatabase } from '../../../harness/database/openTemporaryDatabase.ts'
import type { Stage } from './openStage.ts'

const START = 1_900_000_000_000

export type Scene = Awaited<ReturnType<typeof openScene>>

/** A scene with its own database and contracts on the stage’s chain, and relayers that can be recreated. */
export async function openScene(stage: Stage, changes: Partial<RelayerPolicy> = {}) {
  const { db, remove } = await openTemporaryDatabase()
  const deployment = await stage.deploy()
  const stores = { outbox: createOutboxStore(db.query), transactions: createTransactionStore(db.query) }
  const agents = createAgentStore(db.query)
  const anchorsOf = (log: number) => createAnchorStore(db.query, log)
  const anchors = anchorsOf(0)
  const logs = createLogStore(db.query)
  const clock = { now: START }
  const notified: string[] = []
  const logged: { level: 'info' | 'warn'; text: string; fields: object }[] = []
  const logAs = (level: 'info' | 'warn') => (fields: object, text: string) =>
    logged.push({ level, text, fields })
  const tree = buildNaiveTree(leafAt)
  const onIdentityConfirmed = async (svcId: string) => {
    notified.push(svcId)
  }

  const leaseOf = (holder: string) =>
    createRelayerLease({
      db,
      leases: createLeaseStore(db.query, { clock: () => clock.now }),
      clock: () => clock.now,
      holder,
    })

  /** Creates a relayer like a freshly started process, from the database only; by default, with the key of the stage. */
  const freshRelayer = async (holder = 'test', chain = stage.chain): Promise<RelayerDeps> => {
    const lease = leaseOf(holder)
    await lease.acquire()
    return {
      stores,
      whileLeaseHeld: lease.whileLeaseHeld,
      chain,
      handlers: createHandlers({
        ...{ chain, outbox: stores.outbox, agents, anchorsOf, logs, onIdentityConfirmed },
        interventions: createInterventionStore(db.query),
        onTokenChanged: onIdentityConfirmed,
        replaceLogId: (former) =>
          replaceLogId(
            {
              ...{
                logs,
                outbox: stores.outbox,
                whileLeaseHeld: lease.whileLeaseHeld,
                clock: () => clock.now,
              },
              drawLogId: () => drawLogId(chain.relayerAddress, randomBytes),
            },
            former,
          ),
      }),
      policy: {
        confirmations: 1,
        maxFeePerGas: 10n ** 12n,
        dailyBudgetGwei: null,
        accountShare: 1,
        networkShare: 1,
        resendMs: 1_000,
        replaceMs: 5_000,
        ...changes,
      },
      clock: () => clock.now,
      log: { info: logAs('info'), warn: logAs('warn') },
    }
  }

  return {
    db,
    stores,
    agents,
    anchors,
    anchorsOf,
    logs,
    deployment,
    clock,
    notified,
    /** The log of its relayers. */
    logged,
    freshRelayer,
    leaseOf,

    /** Runs rounds until there is no progress. */
    async drain(relayer?: RelayerDeps): Promise<void> {
      const deps = relayer ?? (await freshRelayer())
      for (let round = 0; round < 50; round += 1) {
        if ((await relayOnce(deps, deployment)) === 0) return
      }
      throw new Error('the relayer does not come to rest')
    },

    /** Stores an agent and its mint intent in one transaction, like a registration. */
    async registerAgent(
      svcId: string,
      owner: Hex | null,
      consent: { deadline: string; signature: Hex } | null,
    ) {
      const payload = { svcId, owner, agentURI: uriOf(svcId), metadata: [], consent }
      await db.transaction(async (trx) => {
        await trx('agents').insert(buildAgentRow(svcId, START))
        await stores.outbox.add(trx, {
          idempotencyKey: intentKey.mint(svcId),
          kind: 'identity.mint',
          payload,
          now: clock.now,
        })
      })
    },

    /** Signs `registerFor` for the owner. */
    async consentOf(owner: PrivateKeyAccount, svcId: string, nonce: bigint, deadline = 4_000_000_000n) {
      const signature = await owner.signTypedData(
        buildRegisterForTypedData({
          chainId: deployment.chainId,
          verifyingContract: deployment.identityRegistry,
          owner: owner.address,
          agentURI: uriOf(svcId),
          metadata: [],
          nonce,
          deadline,
        }),
      )
      return { deadline: String(deadline), signature }
    },

    /** Adds a log besides the first, which the relayer is to open. */
    async addLog(log: number, logId: Hex) {
      await db.transaction(async (trx) => {
        await logs.add(trx, { number: log, logId })
        await stores.outbox.add(trx, {
          ...{
            idempotencyKey: intentKey.open(logId),
            kind: 'audit.open',
            payload: { logId },
            now: clock.now,
          },
        })
      })
    },

    /** Seals a batch that extends a log to `newSize`, and stores the intent to anchor it. */
    async sealBatch(number: number, prevSize: number, newSize: number, log = 0) {
      const consistencyProof = prevSize === 0 ? [] : tree.consistency(prevSize, newSize).map(encodeHex)
      const root = encodeHex(tree.root(newSize))
      const logId = (await logs.idOf(log)) ?? deployment.logId
      await db.transaction(async (trx) => {
        await createBatchStore(db.query, log).add(trx, {
          number,
          prevSize,
          newSize,
          root,
          consistencyProof,
          sealedAt: clock.now,
        })
        await stores.outbox.add(trx, {
          idempotencyKey: intentKey.anchor(logId, number),
          kind: 'audit.anchor',
          payload: log === 0 ? { batch: number } : { batch: number, log },
          now: clock.now,
        })
      })
      return root
    },

    mintIntent: (svcId: string) => stores.outbox.byKey(intentKey.mint(svcId)),
    anchorIntent: (batch: number) => stores.outbox.byKey(intentKey.anchor(deployment.logId, batch)),

    /** Counts identities on chain with an agent’s URI, whoever owns them. */
    async mintedTimes(svcId: string, holders: Hex[]): Promise<number> {
      const blocks = { first: 0, last: (await stage.chain.readHead()).number }
      const lists = await Promise.all(
        holders.map((holder) =>
          stage.chain.identity.findRegistrations(deployment.identityRegistry, holder, blocks),
        ),
      )
      return lists.flat().filter(({ agentURI }) => agentURI === uriOf(svcId)).length
    },

    close: remove,
  }
}

function uriOf(svcId: string): string {
  return `https://svc.test/registration-files/${svcId}.json`
}
