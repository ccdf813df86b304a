import { Box, Container, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { LinkButton } from '../parts/LinkButton.tsx'
import { Brand } from './Brand.tsx'
import { ColorSchemeToggle } from './ColorSchemeToggle.tsx'
import { PageFrame } from './PageFrame.tsx'

/** The frame around pages that need no account. */
export function PublicFrame({ path, children }: { path: string; children: ReactNode }) {
  return (
    <>
      <Box component="header" px="md" py="sm">
        <Group justify="space-between">
          <Brand />
          <Group gap="xs">
            <LinkButton to="/" variant="default">
              Sign in
            </LinkButton>
            <ColorSchemeToggle />
          </Group>
        </Group>
      </Box>
      <Container component="main" size={860} py="xl">
        <PageFrame key={path}>{children}</PageFrame>
      </Container>
    </>
  )
}
