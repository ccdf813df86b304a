import { expect } from 'chai'
import { FEATURE_SETS } from '../../../../../server/config/featureSets.ts'
import { chooseFeatures } from '../../../../../server/store/database/databaseFeatures.ts'
import { openTemporaryDatabase } from '../../../../harness/database/openTemporaryDatabase.ts'
import { testsPostgres } from '../../../../harness/database/postgres.ts'
import { waitUntil } from '../../../../harness/runner/waitUntil.ts'

describe('a change of a credential', () => {
  for (const featureSet of FEATURE_SETS) {
    it(`is heard by every process with ${featureSet} features, also when the credential is added`, async function () {
      if (!testsPostgres) this.skip()
      const { db, files, remove } = await openTemporaryDatabase('postgres', featureSet)
      const heard: string[] = []
      const changes = await chooseFeatures(featureSet).listen(files.databaseUrl ?? '', {
        onChange: ({ kind, ids }) => void heard.push([kind, ...ids].join(' ')),
        onMissed: () => undefined,
        log: { warn: () => undefined },
      })
      const credential = {
        ...{ id: 'c', agent_id: 'SVC-1', type: 'did', lookup_key: 'digest', claim_key: 'claim' },
        ...{ subject: 'did:web:a', algorithm: 'EdDSA', created_at: 1 },
      }
      const table = () => db.query('agent_credentials')
      await table().insert(credential)
      await waitUntil(async () => (heard.length === 1 ? true : null))
      await table().update({ expires_at: 2 })
      await waitUntil(async () => (heard.length === 2 ? true : null))
      await table().delete()
      await waitUntil(async () => (heard.length === 3 ? true : null))
      expect(heard).to.deep.equal(Array(3).fill('credential digest'))
      await changes.stop()
      await remove()
    })
  }
})
