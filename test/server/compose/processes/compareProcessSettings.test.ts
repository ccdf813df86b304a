import { expect } from 'chai'
import { compareProcessSettings } from '../../../../server/compose/processes/compareProcessSettings.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'

const SETTINGS = { publicUrl: 'https://a.example', auditLogs: 1, contracts: {} }

describe('compareProcessSettings', () => {
  it('shows the key of the process, and remembers it again if it was forgotten', async () => {
    const [shown, remembered]: [unknown[], string[]] = [[], []]
    const compared = compareProcessSettings({
      store: {
        show: async (...given) => void shown.push(given),
        live: async () => [],
        liveSecretsKeys: async () => [],
        remove: async () => undefined,
      },
      ...{ process: 'one', settings: async () => SETTINGS, secretsKey: 'key' },
      usedKeys: { add: async (id) => void remembered.push(id) },
      log: { warn: () => undefined },
    })
    await waitUntil(async () => (remembered.length > 0 ? true : null))
    await compared.stop()
    expect(shown).to.deep.equal([['one', SETTINGS, 'key']])
    expect(remembered).to.deep.equal(['key'])
  })
})
