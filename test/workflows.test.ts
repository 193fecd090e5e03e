import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "@jest/globals";

test("workflows pin every action by commit, with the release in a comment", () => {
  const files = globSync(".github/workflows/*.yml");
  const uses = files.flatMap((file) => [...readFileSync(file, "utf8").matchAll(/uses: *(.+)/g)].map(([, use]) => use));
  assert.ok(uses.length > 5);
  for (const use of uses) assert.match(String(use), /^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test("each stage is tested after its deployment, and prod is deployed only if staging passed", () => {
  const [staging = "", prod = ""] = readFileSync(".github/workflows/deploy.yml", "utf8").split("\n  prod:\n");
  assert.match(staging, /^ {2}staging:\n[\s\S]*^ {4}steps: &deploy\n/m);
  assert.match(
    staging,
    /- run: npx cdk deploy --all .*\n +- run: npm run smoke -- --base-url "\$\{\{ vars\.BASE_URL \}\}"\n/,
  );
  assert.match(staging, /^ +env: \{ SMOKE_KEY: "\$\{\{ secrets\.SMOKE_KEY \}\}" \}$/m);
  assert.match(prod, /^ {4}needs: staging\n[\s\S]*^ {4}steps: \*deploy\n$/m);
});

test("the workflows run every check of .ci/run, as parallel jobs", () => {
  const [, checks = ""] = /^checks=\((.+)\)$/m.exec(readFileSync(".ci/run", "utf8")) ?? [];
  const [ofCheck = [], ofNightly = []] = ["check", "nightly"].map((name) => {
    const workflow = readFileSync(`.github/workflows/${name}.yml`, "utf8");
    assert.match(workflow, /- run: \.ci\/run \$\{\{ matrix\.check \}\}/);
    const [, list = ""] = /\bcheck: \[(.+)\]/.exec(workflow) ?? [];
    return list.split(", ");
  });
  const ofData = ["real_data", "feed"];
  assert.deepEqual([...ofCheck, ...ofData].toSorted(), ["tests", ...checks.split(" ")].toSorted());
  assert.deepEqual(ofNightly, [...ofData, "tests", "large"]);
});

test("no step before the credentials' use has them, and a pull request's code gets only the role for diffs", () => {
  for (const name of ["check", "deploy"]) {
    const workflow = readFileSync(`.github/workflows/${name}.yml`, "utf8");
    const [before = "", after] = workflow.split("aws-actions/configure-aws-credentials");
    assert.ok(after);
    assert.match(before.slice(before.lastIndexOf("actions/checkout")), /- run: npm ci\n/);
    assert.doesNotMatch(after, /npm ci/);
  }
  const check = readFileSync(".github/workflows/check.yml", "utf8");
  assert.deepEqual(
    [...check.matchAll(/role-to-assume: .*\bvars\.(\w+)/g)].map(([, role]) => role),
    ["DIFF_ROLE_ARN"],
  );
});

test("each stage has its own queue of deployments", () => {
  const groups = [
    ...readFileSync(".github/workflows/deploy.yml", "utf8").matchAll(/^ *concurrency:.* group: (\S+),/gm),
  ];
  assert.deepEqual(
    groups.map(([, group]) => group),
    ["deploy-staging", "deploy-prod"],
  );
});
