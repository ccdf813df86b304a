import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { readConfig } from '../../../server/config.ts'
import { readServiceSummary } from '../../../server/terminal/readServiceSummary.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'

describe('readServiceSummary', () => {
  const folder = createTemporaryFolder()
  after(() => folder.remove())

  const summarise = (settings: Record<string, string>) => {
    const config = readConfig({ DATA_DIR: folder.path, ...settings })
    const chain = {
      url: () => settings.RPC_URL ?? null,
      overview: () => Promise.reject(new Error('not deployed')),
    }
    return readServiceSummary({ config, version: '1.2.3', url: config.publicUrl, chain })
  }

  it('names the hosts of chain and database without keys, names and passwords', async () => {
    const summary = await summarise({
      RPC_URL: 'https://name:secret-word@node.example/v3/secret-key?token=secret-token',
      RELAYER_PRIVATE_KEY: `0x${'1'.repeat(64)}`,
      DATABASE_URL: 'postgres://svc:secret-word@db.example:5432/registry',
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      SMTP_URL: 'smtp://name:secret-word@mail.example',
    })
    expect(summary.chain).to.deep.equal({ url: 'https://node.example', isLocal: false, deployed: null })
    expect(summary.database).to.equal('PostgreSQL at db.example:5432')
    expect(summary.mailFolder).to.equal(null)
    expect(JSON.stringify(summary)).to.not.match(/secret-|1{64}/)
  })

  it('names the key files in the data folder, not their contents', async () => {
    writeFileSync(join(folder.path, 'secrets-key'), 'c2VjcmV0')
    writeFileSync(join(folder.path, 'audit-log-key.json'), '{"d":"c2VjcmV0"}')
    writeFileSync(join(folder.path, 'svc.sqlite'), '')
    const summary = await summarise({})
    expect(summary.keyFiles.sort()).to.deep.equal(['audit-log-key.json', 'secrets-key'])
    expect(JSON.stringify(summary)).to.not.include('c2VjcmV0')
  })
})
