import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createMailer } from '../../../../server/external/outbound/mailer.ts'
import { renderMail } from '../../../../server/services/mail/renderMail.ts'
import { type SendMailsDeps, sendMails } from '../../../../server/services/mail/sendMails.ts'
import { createMailOutboxStore } from '../../../../server/store/accounts/mailOutboxStore.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'
import { startSmtpServer } from '../../../harness/peers/startSmtpServer.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

describe('the outbox of mails', () => {
  let database: TemporaryDatabase
  let server: Awaited<ReturnType<typeof startSmtpServer>>
  let folder: ReturnType<typeof createTemporaryFolder>
  let time: { now: number }
  let deps: SendMailsDeps
  const outbox = createMailOutboxStore()

  before(async () => {
    server = await startSmtpServer()
  })
  after(() => server.stop())
  beforeEach(async () => {
    database = await openTemporaryDatabase()
    folder = createTemporaryFolder()
    time = { now: Date.UTC(2026, 10, 21) }
    server.messages.length = 0
    server.mood.refusing = false
    server.mood.rejecting = 0
    deps = depsWith(server.url)
  })
  afterEach(async () => {
    deps.mailer.close()
    folder.remove()
    await database.remove()
  })

  const depsWith = (smtpUrl: string | undefined): SendMailsDeps => ({
    db: database.db,
    outbox,
    mailer: createMailer({
      smtpUrl,
      from: 'no-reply@svc.test',
      folder: join(folder.path, 'mail'),
      log: { info: () => undefined },
    }),
    clock: () => time.now,
    randomBytes: (length) => new Uint8Array(length).fill(255),
    log: { warn: () => undefined },
  })
  const queue = (
    key: string,
    fields: {
      recipient?: string
      expiresAt?: number
      agentName?: string
      template?: string
      data?: object
    } = {},
  ) =>
    database.db.transaction((trx) =>
      outbox.add(trx, {
        key,
        recipient: fields.recipient ?? 'ada@people.io',
        template: fields.template ?? 'approval_pending',
        data: fields.data ?? {
          agentName: fields.agentName ?? 'Buyer',
          link: 'https://svc.test/activity/pending/1',
          expiresAt: time.now + 30 * MINUTE_MS,
        },
        now: time.now,
        expiresAt: fields.expiresAt ?? null,
      }),
    )
  const rows = () => database.db.query('mail_outbox').select('*').orderBy('id')

  it('sends what was queued, once', async () => {
    await queue('one')
    await queue('one')
    expect(await sendMails(deps)).to.equal(1)
    expect(await sendMails(deps)).to.equal(0)
    expect(server.messages.map(({ recipients }) => recipients)).to.deep.equal([['ada@people.io']])
    expect(server.messages[0]?.data).to.contain('You have 30 minutes to decide')
    expect((await rows())[0]).to.include({ status: 'sent', attempts: 1, settled_at: time.now })
  })

  it('deletes the parameters of a mail once it is sent or abandoned, because they may contain a token', async () => {
    await queue('sent')
    await queue('late', { expiresAt: time.now })
    await sendMails(deps)
    expect((await rows()).map(({ status, data }) => [status, data])).to.deep.equal([
      ['sent', '{}'],
      ['failed', '{}'],
    ])
  })

  it('sends to exactly one address whatever it contains', async () => {
    await queue('two', { recipient: 'ada@people.io, eve@people.io' })
    await sendMails(deps)
    expect(server.messages.flatMap(({ recipients }) => recipients)).to.not.include('eve@people.io')
  })

  it('retries at increasing intervals, and gives up in the end', async () => {
    server.mood.refusing = true
    await queue('late')
    const pauses: number[] = []
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      expect(await sendMails(deps)).to.equal(1)
      expect(await sendMails(deps)).to.equal(0)
      const [row] = await rows()
      if (attempt < 8) pauses.push(Number(row.next_attempt_at) - time.now)
      time.now += HOUR_MS
    }
    expect(pauses).to.deep.equal([5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 320_000])
    const [row] = await rows()
    expect(row).to.include({ status: 'failed', attempts: 8 })
    expect(row.last_error).to.contain('451')
    server.mood.refusing = false
    expect(await sendMails(deps)).to.equal(0)
  })

  it('sends delayed mails once the server accepts them again', async () => {
    server.mood.refusing = true
    await queue('late')
    await sendMails(deps)
    server.mood.refusing = false
    time.now += MINUTE_MS
    await sendMails(deps)
    expect(server.messages.length).to.equal(1)
    expect((await rows())[0]).to.include({ status: 'sent', attempts: 2 })
  })

  it('does not retry when the server rejects the recipient for good, and names the recipient nowhere', async () => {
    const logged: unknown[] = []
    const log = { warn: (...line: unknown[]) => void logged.push(line) }
    for (const [rejecting, status] of [
      [550, 'failed'],
      [450, 'queued'],
      [530, 'queued'],
    ] as const) {
      server.mood.rejecting = rejecting
      await queue(String(rejecting))
      await sendMails({ ...deps, log })
      const row = (await rows()).at(-1)
      expect(row).to.include({ status, attempts: 1 })
      expect(row.last_error).to.equal(`the mail server answered ${rejecting} (RCPT TO)`)
    }
    expect(logged).to.have.length(3)
    expect(logged[0]).to.deep.equal([
      { mail: '550', attempts: 1, code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO' },
      'a mail could not be sent: the mail server answered 550 (RCPT TO)',
    ])
    expect(JSON.stringify(logged)).to.not.contain('ada@')
  })

  it('sends no expired mail', async () => {
    await queue('old', { expiresAt: time.now + MINUTE_MS })
    time.now += MINUTE_MS
    await sendMails(deps)
    expect(server.messages).to.deep.equal([])
    expect((await rows())[0]).to.include({ status: 'failed', last_error: 'expired' })
  })

  it('is processed by one of several concurrent processes', async () => {
    for (let nth = 0; nth < 25; nth += 1) await queue(`mail ${nth}`)
    const taken = await Promise.all([1, 2, 3, 4].map(() => sendMails(deps)))
    expect(taken.reduce((sum, count) => sum + count, 0)).to.equal(25)
    expect(server.messages.length).to.equal(25)
  })

  it('reassigns a mail after its process has died', async () => {
    await queue('orphan')
    await database.db.transaction((trx) =>
      outbox.claim(trx, {
        now: time.now,
        until: time.now + 120_000,
        limit: 10,
        templates: ['approval_pending'],
      }),
    )
    time.now += 119_999
    expect(await sendMails(deps)).to.equal(0)
    time.now += 1
    expect(await sendMails(deps)).to.equal(1)
    expect(server.messages.length).to.equal(1)
  })

  it('continues after a mail that cannot be rendered', async () => {
    await queue('good')
    await queue('bad', { data: {} })
    expect(await sendMails(deps)).to.equal(2)
    expect((await rows()).map((row) => row.status)).to.deep.equal(['sent', 'queued'])
  })

  it('leaves a mail with a template of a later release to the processes of that release', async () => {
    await queue('later', { template: 'of_a_later_release' })
    await queue('known')
    expect(await sendMails(deps)).to.equal(1)
    expect((await rows()).map(({ status, attempts }) => [status, attempts])).to.deep.equal([
      ['queued', 0],
      ['sent', 1],
    ])
  })

  it('writes files that only their owner can read if there is no server', async () => {
    deps.mailer.close()
    deps = depsWith(undefined)
    await queue('../../etc/x')
    await sendMails(deps)
    const mail = join(folder.path, 'mail')
    const [file, ...others] = readdirSync(mail)
    expect(others).to.deep.equal([])
    expect(file).to.match(/^[\w.-]+\.eml$/)
    const path = join(mail, file ?? '')
    expect(statSync(path).mode & 0o777).to.equal(0o600)
    expect(readFileSync(path, 'utf8')).to.contain('From: no-reply@svc.test')
  })
})

describe('renderMail', () => {
  const rendered = (agentName: string) =>
    renderMail('approval_pending', { agentName, link: 'https://svc.test/?a=1&b="2"', expiresAt: 61_000 }, 0)

  it('escapes user input in HTML and leaves it plain in text', () => {
    const { text, html } = rendered(`<img src=x onerror="alert('1')">&`)
    expect(html).to.contain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;')
    expect(html).to.contain('href="https://svc.test/?a=1&amp;b=&quot;2&quot;"')
    expect(html).to.not.contain('<img')
    expect(text).to.contain(`<img src=x onerror="alert('1')">&`)
  })

  it('never starts a line with a user’s name', () => {
    const { text } = rendered('Buyer\r\n\r\nhttps://evil.test\u2028x')
    expect(text).to.contain('Your agent Buyer https://evil.test x has made a request')
  })

  it('names the counterparty of an approval, unless its name would become a link', () => {
    const about = (counterpartyName: string | null) =>
      renderMail(
        'approval_pending',
        { agentName: 'Buyer', counterpartyName, link: 'https://svc.test', expiresAt: 61_000 },
        0,
      ).text
    expect(about('Acme Shop')).to.contain('Buyer has made a request to “Acme Shop” that needs')
    for (const name of ['evil.io', 'call me@evil.io', 'https://x', null]) {
      expect(about(name)).to.contain('Buyer has made a request that needs')
    }
  })

  it('says on which host endpoints were archived, and why', () => {
    const { subject, text } = renderMail('host_lost', { host: 'shop.io', link: 'https://svc.test/e' }, 0)
    expect(subject).to.equal('Your endpoints on a host were archived')
    expect(text).to.contain('Another account has proven that it controls shop.io')
    expect(text).to.contain('https://svc.test/e')
  })

  it('states the remaining time', () => {
    expect(rendered('Buyer').text).to.contain('You have one minute to decide.')
  })
})
