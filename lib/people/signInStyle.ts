import { readFileSync } from "node:fs";
import type { CfnManagedLoginBrandingProps } from "aws-cdk-lib/aws-cognito";

const mark = readFileSync(new URL("../../web/reference/favicon.svg", import.meta.url)).toString("base64");
const svg = { bytes: mark, colorMode: "DYNAMIC", extension: "SVG" };

const teal = { backgroundColor: "0f766eff", textColor: "ffffffff" };
const darkTeal = { backgroundColor: "115e59ff", textColor: "ffffffff" };
const lightTeal = { backgroundColor: "7accc2ff", textColor: "000716ff" };

/**
 * The mark and the colour of the Developer area, on Cognito's own page. Cognito keeps its defaults for all other settings
 * (https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_CreateManagedLoginBranding.html).
 */
export const signInStyle: Pick<CfnManagedLoginBrandingProps, "assets" | "settings"> = {
  assets: ["FAVICON_SVG", "FORM_LOGO"].map((category) => ({ category, ...svg })),
  settings: {
    components: {
      favicon: { enabledTypes: ["SVG"] },
      form: { logo: { enabled: true, formInclusion: "IN", location: "CENTER", position: "TOP" } },
      primaryButton: {
        lightMode: { defaults: teal, hover: darkTeal, active: darkTeal },
        darkMode: { defaults: lightTeal, hover: lightTeal, active: lightTeal },
      },
    },
  },
};
