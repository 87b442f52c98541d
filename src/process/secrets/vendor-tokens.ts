// Made by `npm run docs` from @secretlint/secretlint-rule-preset-recommend 13.0.7.
// Copyright (c) 2020 azu, MIT License.
// biome-ignore-all format: a row for each rule

/** Vendors' tokens that a start and a long run of random characters identify. */
export const VENDOR_TOKENS: readonly { readonly starts: readonly string[]; readonly pattern: RegExp }[] = [
  { starts: ["cfk_","cfut_","cfat_"], pattern: /(?<!(?<!\\|%[\dA-Fa-f])[A-Za-ln-z])(?:cfk|cfut|cfat)_[A-Za-z0-9]{40}[0-9a-f]{8,1000}/y },
  { starts: ["dapi"], pattern: /(?<!(?<!\\|%[\dA-Fa-f])[A-Za-ln-z])dapi[A-Fa-f0-9]{32}(?:-[0-9])?/y },
  { starts: ["dckr_pat_"], pattern: /(?<!(?<!\\|%[\dA-Fa-f])[A-Za-ln-z])dckr_pat_[a-zA-Z0-9_-]{27,1000}/y },
  { starts: ["figd_"], pattern: /(?<!(?<!\\|%[\dA-Fa-f])[A-Za-ln-z])figd_[A-Za-z0-9_-]{40,1000}/y },
  { starts: ["ghp_","gho_","ghu_","ghs_","ghr_"], pattern: /(?<!(?<!\\|%[\dA-Fa-f])[A-Za-ln-z])(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9_]{36,1000}/y },
  { starts: ["github_pat_"], pattern: /(?<!(?<!\\|%[\dA-Fa-f])[A-Za-ln-z])(?:github_pat)_[A-Za-z0-9_]{82,1000}/y },
  { starts: ["glc_"], pattern: /(?<!(?<!\\|%[\dA-Fa-f])[A-Za-ln-z])glc_[A-Za-z0-9+/]{32,400}={0,2}/y },
  { starts: ["glsa_"], pattern: /(?<!(?<!\\|%[\dA-Fa-f])[A-Za-ln-z])glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8,1000}/y },
  { starts: ["gsk_"], pattern: /(?<!(?<!\\|%[\dA-Fa-f])[A-Za-ln-z])gsk_[a-zA-Z0-9]{52,1000}/y },
  { starts: ["hvb."], pattern: /(?<!(?<!\\|%[\dA-Fa-f])[A-Za-ln-z])hvb\.[A-Za-z0-9_-]{138,1000}/y },
  { starts: ["hvr."], pattern: /(?<!(?<!\\|%[\dA-Fa-f])[A-Za-ln-z])hvr\.[A-Za-z0-9_-]{90,1000}/y },
  { starts: ["hvs."], pattern: /(?<!(?<!\\|%[\dA-Fa-f])[A-Za-ln-z])hvs\.[A-Za-z0-9_-]{90,1000}/y },
  { starts: ["lin_api_"], pattern: /(?<!(?<!\\|%[\dA-Fa-f])[A-Za-ln-z])lin_api_[a-zA-Z0-9_]{32,1000}/y },
  { starts: ["ntn_"], pattern: /(?<!(?<!\\|%[\dA-Fa-f])[A-Za-ln-z])ntn_[0-9]{11}[A-Za-z0-9]{35,1000}/y },
  { starts: ["ops_"], pattern: /(?<!(?<!\\|%[\dA-Fa-f])[A-Za-ln-z])ops_(ey[A-Za-z0-9+/=]{100,1280}fQ={0,2})/y },
  { starts: ["shppa_","shpca_","shpat_","shpss_"], pattern: /(?<!(?<!\\|%[\dA-Fa-f])[A-Za-ln-z])(?:shppa|shpca|shpat|shpss)_[a-zA-Z0-9]{32,1000}/y },
  { starts: ["sk_live_","sk_test_","rk_live_","rk_test_"], pattern: /(?<!(?<!\\|%[\dA-Fa-f])[A-Za-ln-z])(?:sk_live|sk_test|rk_live|rk_test)_[a-zA-Z0-9]{24,1000}/y },
  { starts: ["tskey-"], pattern: /(?<!(?<!\\|%[\dA-Fa-f])[A-Za-ln-z])tskey-(?:[a-z]{2,20})-[0-9A-Za-z_]{8,40}-[0-9A-Za-z_]{16,1000}/y },
  { starts: ["vcp_","vci_","vca_","vcr_","vck_"], pattern: /(?<!(?<!\\|%[\dA-Fa-f])[A-Za-ln-z])(?:vcp|vci|vca|vcr|vck)_[A-Za-z0-9]{20,1000}/y },
];
