import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8')

describe('the reverse proxy of docs/operations.md', () => {
  const [, block = ''] = /^```nginx\n(.*?)^```$/ms.exec(PAGE) ?? []
  const folder = createTemporaryFolder()
  after(() => folder.remove())

  it('lets the largest upload through, and closes its connections before the service does', () => {
    // Two pictures of 8 MiB, and the parts around them.
    expect(Number(/client_max_body_size (\d+)m;/.exec(block)?.[1])).to.be.above(16)
    expect(Number(/keepalive_timeout (\d+)s;/.exec(block)?.[1])).to.be.below(130)
    expect(block).to.include('proxy_buffering off;')
    expect(block).to.include('X-Forwarded-For $proxy_add_x_forwarded_for;')
  })

  it('is read by nginx', function () {
    const plain = block.replace('listen 443 ssl;', 'listen 127.0.0.1:18443;').replace(/^ *ssl_.*\n/gm, '')
    const file = join(folder.path, 'nginx.conf')
    const own = `pid ${folder.path}/pid;\nerror_log stderr;\n`
    writeFileSync(file, `${own}events {}\nhttp {\naccess_log off;\n${plain}}\n`)
    const { error, status, stderr } = spawnSync('nginx', ['-t', '-c', file], { encoding: 'utf8' })
    // nginx is not installed.
    if (error) this.skip()
    expect(status, stderr).to.equal(0)
  })
})
