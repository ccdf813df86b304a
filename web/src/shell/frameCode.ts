/** The code of what most visitors see first, so that it can be loaded before it is known what shows it. */
export const frameCode = {
  landing: async () => (await import('../pages/landing/LandingPage.tsx')).LandingPage,
  overview: async () => (await import('../pages/overview/OverviewPage.tsx')).OverviewPage,
  publicFrame: async () => (await import('./PublicFrame.tsx')).PublicFrame,
  shell: async () => (await import('./Shell.tsx')).Shell,
  signIn: async () => (await import('../pages/signIn/SignInPage.tsx')).SignInPage,
}
