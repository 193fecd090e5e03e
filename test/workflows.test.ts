import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { test } from "@jest/globals";

/** A workflow's jobs by name, each as text, with the steps that it shares with another. */
function jobsOf(workflow: string): Record<string, string> {
  const [head = "", text = ""] = readFileSync(`.github/workflows/${workflow}.yml`, "utf8").split(/^jobs:\n/m);
  assert.doesNotMatch(head, /^concurrency|id-token|: write/m);
  const [, shared = ""] = /^ {4}steps: &deploy\n([\s\S]*?)^ {0,2}\S/m.exec(text) ?? [];
  const parts = text.replace("steps: *deploy\n", `steps:\n${shared}`).split(/^ {2}(\w+):\n/m);
  return Object.fromEntries(parts.flatMap((part, index) => (index % 2 ? [[part, String(parts[index + 1])]] : [])));
}

const workflows = [...globSync(".github/workflows/*.yml")].map((file) => basename(file, ".yml"));

test("workflows pin every action by commit, with the release in a comment", () => {
  const files = globSync(".github/workflows/*.yml");
  const uses = files.flatMap((file) => [...readFileSync(file, "utf8").matchAll(/uses: *(.+)/g)].map(([, use]) => use));
  assert.ok(uses.length > 5);
  for (const use of uses) assert.match(String(use), /^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test("prod waits for staging and an approval of its diff, and the approval is for that diff only", () => {
  const { staging = "", diff = "", prod = "" } = jobsOf("deploy");
  assert.match(staging, /^ {4}environment: staging$/m);
  assert.match(diff, /^ {4}needs: staging$/m);
  assert.match(prod, /^ {4}needs: diff$/m);
  assert.match(prod, /^ {4}environment: prod$/m);
  assert.match(
    diff,
    /state=\$\(\.github\/stageState\.sh "\$STAGE"\)\n +echo "state=\$state" >> "\$GITHUB_OUTPUT"\n[\s\S]*npx cdk diff [\s\S]*>> "\$GITHUB_STEP_SUMMARY"/,
  );
  assert.match(prod, /APPROVED: "\$\{\{ needs\.diff\.outputs\.state \}\}"/);
  assert.match(prod, /- run: \.github\/stageState\.sh "\$STAGE" "\$APPROVED"\n[\s\S]*npm run deploy/);
});

test("an approval is refused if the stage has changed since its diff was shown", () => {
  const directory = mkdtempSync(join(tmpdir(), "stage-"));
  /** The state of a stage whose API stack was last changed at this time. */
  const run = (time: string, ...approved: string[]) => {
    const aws = `#!/bin/sh\ncase "$*" in *ticketing-prod-data*) printf "earlier\tOK\n";; *) printf "${time}\tOK\n";; esac\n`;
    writeFileSync(join(directory, "aws"), time === "" ? "#!/bin/sh\nexit 254\n" : aws, { mode: 0o755 });
    const env = { PATH: `${directory}:${process.env.PATH}` };
    return spawnSync(resolve(".github/stageState.sh"), ["prod", ...approved], { env, encoding: "utf8" });
  };
  try {
    const { status, stdout } = run("today");
    assert.deepEqual([status, stdout], [0, "ticketing-prod-data earlier OK ticketing-prod today OK\n"]);
    const approved = stdout.trimEnd();
    assert.deepEqual([run("today", approved).status, run("today", "any").status], [0, 0]);
    for (const [time, text] of [
      ["later", approved],
      ["today", ""],
    ] as const) {
      const refused = run(time, text);
      assert.equal(refused.status, 1);
      assert.match(refused.stderr, /^The stage prod has changed since its diff was approved\./);
    }
    assert.notEqual(run("", "any").status, 0);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("a job with credentials runs no script of a package, and pull requests only get the role for diffs", () => {
  const withCredentials = workflows.flatMap((workflow) =>
    Object.entries(jobsOf(workflow)).flatMap(([name, job]) => {
      assert.equal(/id-token: write/.test(job), /configure-aws-credentials/.test(job), name);
      if (!/id-token: write/.test(job)) return [];
      for (const [install = ""] of job.matchAll(/\bnpm (ci|i|install)\b.*/g))
        assert.equal(install, "npm ci --ignore-scripts");
      for (const [cdk = ""] of job.matchAll(/\bnpx .*/g))
        assert.match(cdk, /^npx cdk (deploy|diff) .*--app "cdk\.out\/\$STAGE"/);
      for (const [deploy = ""] of job.matchAll(/\bnpm run deploy\b.*/g))
        assert.match(deploy, /--app "cdk\.out\/\$STAGE"/);
      assert.doesNotMatch(job, /npm run synth/);
      return [`${workflow} ${name} ${/role-to-assume: .*\bvars\.(\w+)/.exec(job)?.[1]}`];
    }),
  );
  assert.deepEqual(withCredentials.toSorted(), [
    "check diff DIFF_ROLE_ARN",
    "deploy diff DIFF_ROLE_ARN",
    "deploy prod DEPLOY_ROLE_ARN",
    "deploy staging DEPLOY_ROLE_ARN",
    "rollback rollback DEPLOY_ROLE_ARN",
  ]);
});

test("only the job that tags releases may write to the repository, and it runs no code of the repository", () => {
  const writers = globSync(".github/workflows/*.yml").filter((file) =>
    /contents: write/.test(readFileSync(file, "utf8")),
  );
  assert.deepEqual([...writers], [".github/workflows/deploy.yml"]);
  const [, tag = ""] = readFileSync(".github/workflows/deploy.yml", "utf8").split("\n  tag:\n");
  assert.match(tag, /needs: prod\n/);
  assert.match(tag, /contents: write/);
  assert.doesNotMatch(tag, /\bnpm\b|\bnpx\b|\bnode\b/);
});

test("a rollback deploys the API stack of an earlier commit of main after the stage's approval", () => {
  const { build = "", rollback = "" } = jobsOf("rollback");
  assert.match(rollback, /^ {4}environment: \$\{\{ inputs\.stage \}\}$/m);
  assert.match(build, /npm run synth -- -c stage="\$STAGE" -c canary=off --output "cdk\.out\/\$STAGE"/);
  assert.match(rollback, /cdk deploy "ticketing-\$STAGE" --exclusively --app "cdk\.out\/\$STAGE"/);
  // User input never becomes part of a script.
  for (const job of [build, rollback])
    for (const [run = ""] of job.matchAll(/^ +- run: .*$/gm)) assert.doesNotMatch(run, /inputs\./);
});

test("a rollback checks out only commits of main, with today's settings", () => {
  const directory = mkdtempSync(join(tmpdir(), "rollback-"));
  const git = (...commandLine: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...commandLine], {
      cwd: directory,
      encoding: "utf8",
    }).trim();
  const commit = (code: string, settings: string) => {
    mkdirSync(join(directory, "deploy/stages"), { recursive: true });
    writeFileSync(join(directory, "code"), code);
    writeFileSync(join(directory, "deploy/stages", "prod.json"), settings);
    git("add", ".");
    git("commit", "-qm", code);
    return git("rev-parse", "HEAD");
  };
  const run = (text: string) =>
    spawnSync("bash", [resolve(".github/checkoutEarlier.sh"), text], { cwd: directory, encoding: "utf8" });
  try {
    git("init", "-q", "-b", "main");
    const earlier = commit("earlier", "{}");
    git("checkout", "-qb", "other");
    const foreign = commit("foreign", "{}");
    git("checkout", "-q", "main");
    commit("later", '{"canary":"on"}');
    for (const text of ["", "main", earlier.slice(0, 12), foreign, "0".repeat(40), `${earlier};ls`, "--help"]) {
      const { status, stderr } = run(text);
      assert.ok(status !== 0 && stderr !== "", text);
      assert.equal(readFileSync(join(directory, "code"), "utf8"), "later");
    }
    assert.equal(run(earlier).status, 0);
    assert.equal(readFileSync(join(directory, "code"), "utf8"), "earlier");
    assert.equal(readFileSync(join(directory, "deploy/stages", "prod.json"), "utf8"), '{"canary":"on"}');
  } finally {
    rmSync(directory, { recursive: true });
  }
});
