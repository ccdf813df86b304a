import { join } from 'node:path'
import type Database from 'better-sqlite3'
import express from 'express'
import knex from 'knex'
import { buildPeerResponse } from './buildPeerResponse.ts'
import { peerTables } from './peerTables.ts'
import { servePeer } from './servePeer.ts'

/**
 * Express and knex on better-sqlite3, with one durable commit (WAL, `synchronous=FULL`) per request: the usual way to
 * build such a service.
 */
await servePeer(async (folder) => {
  const query = knex({
    client: 'better-sqlite3',
    connection: { filename: join(folder, 'knexCommit.sqlite') },
    useNullAsDefault: true,
    pool: {
      afterCreate(database: Database.Database, done: (error: Error | null) => void) {
        database.pragma('journal_mode = WAL')
        database.pragma('synchronous = FULL')
        done(null)
      },
    },
  })
  for (const statement of peerTables.split(';').filter((text) => text.trim() !== ''))
    await query.raw(statement)
  const record = (body: { agentId: string; counterpartyId: string }) =>
    query.transaction(async (trx) => {
      await trx('api_keys').first('owner_id').where({ key_hash: '5a' })
      await trx('agents').first('owner_id', 'pdlss').where({ svc_id: body.agentId })
      await trx('endpoints').first('owner_id', 'pdlss').where({ svce_id: body.counterpartyId })
      const answer = buildPeerResponse()
      await trx('records').insert({
        record_id: answer.auditRecordId,
        recorded_at: Date.now(),
        agent_id: body.agentId,
        endpoint_id: body.counterpartyId,
        request: JSON.stringify(body),
        answer: JSON.stringify(answer),
      })
      return answer
    })
  const app = express()
  app.use(express.json())
  app.post('/api/agents/verify-access', async (req, res) => {
    res.json(await record(req.body))
  })
  return app
})
