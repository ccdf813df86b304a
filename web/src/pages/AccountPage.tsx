import { Button, Stack } from '@mantine/core'
import type { Me } from '../api/types.ts'
import { useAnswer } from '../api/useAnswer.ts'
import { CopyText } from '../parts/CopyText.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { PageHeader } from '../parts/PageHeader.tsx'
import { Section } from '../parts/Section.tsx'
import { useSignOut } from '../shell/useSignOut.ts'
import { LinkedIdentitiesSection } from './LinkedIdentitiesSection.tsx'
import { PasskeysSection } from './PasskeysSection.tsx'
import { WalletsSection } from './WalletsSection.tsx'

/** The account itself: who it is, and what it signs in and approves with. */
export function AccountPage() {
  const query = useAnswer<Me>('/api/me')
  const signOut = useSignOut()
  return (
    <>
      <PageHeader title="Account" description="Who you are here, and what you sign in and approve with.">
        <Button variant="default" onClick={signOut}>
          Sign out
        </Button>
      </PageHeader>
      <Stack gap="lg">
        <Loaded query={query}>{(me) => <Identity me={me} />}</Loaded>
        <PasskeysSection />
        <LinkedIdentitiesSection />
        <Loaded query={query}>{({ wallets }) => <WalletsSection wallets={wallets} />}</Loaded>
      </Stack>
    </>
  )
}

function Identity({ me: { user } }: { me: Me }) {
  return (
    <Section title="Identity">
      <Facts
        facts={[
          ['Name', user.fullName],
          ['E-mail', user.email],
          ['Kind', user.accountType === 'business' ? 'Business' : 'Individual'],
          ['Developer identifier', <CopyText key="id" text={user.developerId} name="developer identifier" />],
          ['Verified identity', user.kydStatus === 'verified' ? 'Yes' : 'No'],
        ]}
      />
    </Section>
  )
}
