import type { CSSVariablesResolver } from '@mantine/core'

/** Mantine's dimmed text is below the contrast of 4.5:1 that small text needs (WCAG 2.2, 1.4.3). */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-dimmed': 'var(--mantine-color-gray-7)', '--mantine-color-body': '#fbfbfd' },
  dark: { '--mantine-color-dimmed': 'var(--mantine-color-dark-1)', '--mantine-color-body': '#16181d' },
})
