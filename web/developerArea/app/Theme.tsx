import { createTheme, MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";

const theme = createTheme({ primaryColor: "teal", respectReducedMotion: true, cursorType: "pointer" });

/** The look. What Mantine would put into <style> elements stands in the style sheets, so that the page needs none. */
export function Theme({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      {children}
    </MantineProvider>
  );
}
