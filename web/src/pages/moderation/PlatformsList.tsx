import type { ListedPlatform } from '@svc/core/contract/interventions.ts'
import { useApiList } from '../../api/useApiList.ts'
import { ModerationPage, useListQuery } from './ModerationPage.tsx'
import type { Measure, Subject } from './measure.ts'
import { NoSubjects } from './NoSubjects.tsx'
import { SubjectList } from './SubjectList.tsx'

const WITHDRAW: Measure = {
  key: 'POST /api/admin/platforms/:id/withdraw',
  list: 'GET /api/admin/platforms',
  label: 'Withdraw',
  title: 'Withdraw this platform?',
  action: 'Withdraw',
  consequences: [
    'Its requests are treated like those of any unrecognised caller.',
    'Its provisional agent is shown as withdrawn.',
    'You can restore it at any time.',
  ],
  told: 'Shown to operators only, because a platform has no owner here.',
  isRelief: false,
  done: 'is withdrawn',
}

const RESTORE: Measure = {
  ...WITHDRAW,
  key: 'POST /api/admin/platforms/:id/restore',
  label: 'Restore',
  title: 'Restore this platform?',
  action: 'Restore',
  consequences: ['Its requests are recognised again.'],
  isRelief: true,
  done: 'is recognised again',
}

/** The assistant platforms that the service recognises, which an operator can withdraw. */
export function PlatformsList() {
  const query = useApiList('GET /api/admin/platforms', { query: useListQuery() })
  return (
    <ModerationPage
      path="/moderation/platforms"
      searchHint="Part of a name or an identifier"
      states={['recognised', 'withdrawn']}
    >
      <SubjectList
        query={query}
        toSubject={toSubject}
        empty={<NoSubjects icon="agents" what="platforms" />}
      />
    </ModerationPage>
  )
}

function toSubject({ id, name, operator, svcId, status, intervention }: ListedPlatform): Subject {
  return {
    ...{ id, name, status, intervention, isOwn: false },
    summary: `${name} · ${operator}`,
    about: `${operator} · ${svcId}`,
    measure: status === 'recognised' ? WITHDRAW : RESTORE,
  }
}
