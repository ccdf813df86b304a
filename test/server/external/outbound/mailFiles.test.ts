import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createMailer } from '../../../../server/external/outbound/mailer.ts'
import { createMailFiles } from '../../../../server/external/outbound/mailFiles.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'

const LONG = `${'ada.'.repeat(15)}lovelace@${'analytical-engines.'.repeat(8)}example.com`

describe('createMailFiles', () => {
  let folder: ReturnType<typeof createTemporaryFolder>
  beforeEach(() => {
    folder = createTemporaryFolder()
  })
  afterEach(() => folder.remove())

  async function write(...mails: { id: string; to: string; text?: string }[]): Promise<void> {
    const mailer = createMailer({
      ...{ smtpUrl: undefined, from: 'no-reply@example.com', folder: folder.path },
      log: { info: () => undefined },
    })
    for (const mail of mails) await mailer.send({ subject: 'News', text: 'Hello', html: '<p>Hello', ...mail })
    mailer.close()
  }
  const names = () => readdirSync(folder.path).sort()

  for (const address of ['ada@example.com', "o'hara+svc@sub.example.com", LONG]) {
    it(`deletes the mails to ${address.slice(0, 30)}, drafts too, and those to nobody else`, async () => {
      await write(
        { id: 'first', to: address },
        { id: 'second', to: address.toUpperCase() },
        { id: 'about', to: 'bob@example.com', text: `To: ${address}` },
        { id: 'similar', to: `x${address}` },
      )
      const draft = readFileSync(join(folder.path, 'first.eml'))
      writeFileSync(join(folder.path, 'draft.eml.tmp'), draft)
      writeFileSync(join(folder.path, 'copy.txt'), draft)
      expect(await createMailFiles(folder.path).deleteTo(address)).to.equal(3)
      expect(names()).to.deep.equal(['about.eml', 'copy.txt', 'similar.eml'])
    })
  }

  it('finds nothing before the first mail', async () => {
    expect(await createMailFiles(join(folder.path, 'mail')).deleteTo('ada@example.com')).to.equal(0)
  })
})
