# nix build ./packaging/nix?dir=.. would not see the sources: use
#
#	nix build "path:$PWD?dir=packaging/nix"
{
  description = "stencilc, a compiler for stencil computations";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" ];
      each = nixpkgs.lib.genAttrs systems;
    in {
      packages = each (system:
        let pkgs = nixpkgs.legacyPackages.${system};
        in {
          default = pkgs.stdenv.mkDerivation {
            pname = "stencilc";
            version = "0.1";
            src = ../..;
            nativeBuildInputs = with pkgs; [ autoreconfHook bison flex pkg-config ];
            buildInputs = with pkgs; [ isl hwloc ];
            configureFlags = [ "--without-libclang" ];
            enableParallelBuilding = true;
            meta = {
              description = "Compiler for stencil computations, with time tiling";
              license = pkgs.lib.licenses.mit;
              mainProgram = "stencilc";
            };
          };
        });
    };
}
