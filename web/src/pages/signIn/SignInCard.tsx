import { Anchor, Divider, Paper, Stack, Text } from '@mantine/core'
import { AccountForm } from './AccountForm.tsx'
import { OtherSignIns } from './OtherSignIns.tsx'

type Props = { isNew: boolean; onSwitch: (isNew: boolean) => void }

/** All ways to sign in or, for a new account, the form that creates it; switches between the two. */
export function SignInCard({ isNew, onSwitch }: Props) {
  return (
    <>
      <Paper withBorder p="lg">
        <Stack>
          {/* The key resets the form, so that input and errors do not carry over from one to the other. */}
          <AccountForm key={String(isNew)} isNew={isNew} />
          {!isNew && (
            <>
              <Divider label="or" />
              <OtherSignIns />
            </>
          )}
        </Stack>
      </Paper>
      <Text size="sm" ta="center">
        {isNew ? 'Already have an account? ' : 'New here? '}
        <Anchor component="button" type="button" inherit onClick={() => onSwitch(!isNew)}>
          {isNew ? 'Sign in' : 'Create an account'}
        </Anchor>
      </Text>
    </>
  )
}
