import { expect } from 'chai'
import { createIpfsFiles } from '../../../../../server/external/outbound/ipfsFiles.ts'
import { createKeepInIpfs } from '../../../../../server/services/agents/token/keepInIpfs.ts'
import { createAgentStore } from '../../../../../server/store/agents/agentStore.ts'
import { createIpfsFileStore } from '../../../../../server/store/agents/ipfsFileStore.ts'
import { createOutboxStore } from '../../../../../server/store/relayer/outboxStore.ts'
import { startIpfsNode } from '../../../../harness/peers/startIpfsNode.ts'
import { newPerson } from '../openRegistry.ts'
import { openCustody } from './openCustody.ts'

const HOUR_MS = 3_600_000

describe('storing registration files in IPFS', function () {
  this.timeout(120_000)

  it('waits while more than 400 intents are pending, because each file requests a transaction', async () => {
    const [custody, node] = [await openCustody(), await startIpfsNode()]
    try {
      const svcId = await custody.register((await newPerson({ call: custody.call })).developerId)
      await custody.seen(svcId, { blockchainStatus: 'verified', isTokenUriCurrent: true })
      await custody.settled()
      const db = custody.db()
      const outbox = createOutboxStore(db.query)
      await db.transaction(async (trx) => {
        for (let at = 0; at < 401; at += 1) {
          const later = { kind: 'identity.setUri', payload: {}, now: Date.now() + HOUR_MS }
          await outbox.add(trx, { idempotencyKey: `later:${at}`, ...later })
        }
      })
      const synced: string[] = []
      const round = createKeepInIpfs(
        {
          db,
          agents: createAgentStore(db.query),
          kept: createIpfsFileStore(db.query),
          ipfs: createIpfsFiles(node.url),
          outbox,
          publicUrl: 'https://first.svc-host.io',
        },
        { isRelayer: async () => true, syncTokenUri: async (id) => void synced.push(id) },
      )
      expect([await round(), node.requests, synced]).to.deep.equal([0, 0, []])
      await db.transaction((trx) => outbox.withdraw(trx, 'later:0', Date.now()))
      expect([await round(), node.requests, synced]).to.deep.equal([1, 1, [svcId]])
      expect([await round(), node.requests]).to.deep.equal([0, 1])
    } finally {
      await custody.close()
      await node.stop()
    }
  })

  it('updates a token in the next round after a failure or a kill in between', async () => {
    const [custody, node] = [await openCustody(), await startIpfsNode()]
    try {
      const svcId = await custody.register((await newPerson({ call: custody.call })).developerId)
      await custody.seen(svcId, { blockchainStatus: 'verified', isTokenUriCurrent: true })
      const db = custody.db()
      const synced: string[] = []
      let isAway = true
      const round = createKeepInIpfs(
        {
          db,
          agents: createAgentStore(db.query),
          kept: createIpfsFileStore(db.query),
          ipfs: createIpfsFiles(node.url),
          outbox: createOutboxStore(db.query),
          publicUrl: 'https://first.svc-host.io',
        },
        {
          isRelayer: async () => true,
          syncTokenUri: async (id) => {
            if (isAway) throw new Error('the chain is away')
            synced.push(id)
          },
        },
      )
      expect(await round().catch((error: Error) => error.message)).to.equal('the chain is away')
      isAway = false
      await round()
      await round()
      expect(synced).to.deep.equal([svcId])
      expect(await round()).to.equal(0)
    } finally {
      await custody.close()
      await node.stop()
    }
  })
})
