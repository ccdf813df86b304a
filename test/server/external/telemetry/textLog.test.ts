import { Writable } from 'node:stream'
import { expect } from 'chai'
import { createLogger } from '../../../../server/external/telemetry/logger.ts'
import { createTextLog } from '../../../../server/external/telemetry/textLog.ts'

describe('the log for people', () => {
  const lines: string[] = []
  const stream = new Writable({
    write(line, _, done) {
      lines.push(String(line))
      done()
    },
  })
  const log = createLogger({ level: 'info' }, createTextLog(stream))
  beforeEach(() => {
    lines.length = 0
  })

  it('has one line an entry: time, level, message and values', () => {
    log.warn({ port: 3000, why: 'late' }, 'something')
    expect(lines).to.have.length(1)
    expect(lines[0]).to.match(/^\d\d:\d\d:\d\d warn {2}something {2}port=3000 {2}why=late\n$/)
  })

  it('shows an error by its message, without a stack', () => {
    log.error({ err: new Error('no luck') }, 'failed')
    expect(lines.join('')).to.match(/error failed {2}err=no luck\n$/)
  })

  it('redacts what the JSON log redacts', () => {
    log.info({ user: { password: 'secret-word' } }, 'x')
    expect(lines.join('')).to.include('[redacted]').and.not.include('secret-word')
  })

  it('escapes control characters of what callers sent', () => {
    log.info({ name: 'a\u001b[2Jb\nfake' }, 'x')
    expect(lines.join('')).to.include('a[U+001B][2Jb[U+000A]fake')
    expect(lines.join('').match(/\n/g)).to.have.length(1)
  })
})
