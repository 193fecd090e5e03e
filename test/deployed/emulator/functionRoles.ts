import * as z from "zod";
import { callAws } from "../support/callAws.ts";

const Statement = z.looseObject({ Action: z.union([z.string(), z.array(z.string())]) });
const Policy = z.object({ Version: z.literal("2012-10-17"), Statement: z.array(Statement) });
export type Policy = z.infer<typeof Policy>;

/** A role of one of the service's functions. */
export interface FunctionRole {
  /** The function's description. */
  description: string;
  roleArn: string;
  rights: Policy;
}

const Functions = z.object({
  Functions: z.array(z.object({ FunctionName: z.string(), Role: z.string(), Description: z.string().optional() })),
});

/** The CDK's own functions, for custom resources, have other policies. */
export const isOfCdk = (functionName: string) => /-Custom(S3|CDK)/.test(functionName);

/** A function's name without its end, which is new when the stack is deleted and created again. */
export const stableName = (functionName: string) => functionName.replace(/-[0-9A-F]+$/, "");

/** The roles of the service's functions, as CloudFormation created them from the templates, by the functions' {@link stableName}. */
export async function functionRoles(): Promise<Map<string, FunctionRole>> {
  const answer = await callAws({ service: "lambda", path: "/2015-03-31/functions/?MaxItems=1000" });
  const { Functions: all } = Functions.parse(JSON.parse(answer));
  const own = all.filter(({ FunctionName }) => !isOfCdk(FunctionName));
  return new Map(
    await Promise.all(
      own.map(async ({ FunctionName, Role, Description = "" }): Promise<[string, FunctionRole]> => {
        const rights = await policyOf(Role.split("/").at(-1) ?? "");
        return [stableName(FunctionName), { description: Description, roleArn: Role, rights }];
      }),
    ),
  );
}

/** The one policy of a role, which lib/shared/serviceFunction.ts names. @throws Error for a role without it. */
async function policyOf(roleName: string): Promise<Policy> {
  const query = `Action=GetRolePolicy&RoleName=${roleName}&PolicyName=Rights&Version=2010-05-08`;
  const answer = await callAws({ service: "iam", path: `/?${query}` });
  const [, document = ""] = /<PolicyDocument>(.*)<\/PolicyDocument>/s.exec(answer) ?? [];
  return Policy.parse(JSON.parse(decodeURIComponent(document)));
}
