import { join } from 'node:path'
import Database from 'better-sqlite3'
import express from 'express'
import { buildPeerResponse } from './buildPeerResponse.ts'
import { peerTables } from './peerTables.ts'
import { servePeer } from './servePeer.ts'

/**
 * Express and better-sqlite3 with prepared statements and one durable commit (WAL, `synchronous=FULL`) per request: the
 * best that is possible without group commit.
 */
await servePeer((folder) => {
  const database = new Database(join(folder, 'sqliteCommit.sqlite'))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(peerTables)
  const key = database.prepare('SELECT owner_id FROM api_keys WHERE key_hash = ?')
  const agent = database.prepare('SELECT owner_id, pdlss FROM agents WHERE svc_id = ?')
  const endpoint = database.prepare('SELECT owner_id, pdlss FROM endpoints WHERE svce_id = ?')
  const insert = database.prepare(
    `INSERT INTO records (record_id, recorded_at, agent_id, endpoint_id, request, answer)
     VALUES (?, ?, ?, ?, ?, ?)`,
  )
  const record = database.transaction((body: { agentId: string; counterpartyId: string }) => {
    key.get('5a')
    agent.get(body.agentId)
    endpoint.get(body.counterpartyId)
    const answer = buildPeerResponse()
    insert.run(
      answer.auditRecordId,
      Date.now(),
      body.agentId,
      body.counterpartyId,
      JSON.stringify(body),
      JSON.stringify(answer),
    )
    return answer
  })
  const app = express()
  app.use(express.json())
  app.post('/api/agents/verify-access', (req, res) => {
    res.json(record.immediate(req.body))
  })
  return app
})
