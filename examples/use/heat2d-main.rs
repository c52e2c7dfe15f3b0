//! Calls heat2d from Rust, by a plan, and compares with plain loops.
//!
//!     stencilc --target=c --handles -o heat2d.c ../heat2d.stn
//!     cc -O2 -ffp-contract=off -shared -fPIC heat2d.c -o libheat2d.so -lm
//!     rustc -O heat2d-main.rs -L . -l heat2d -C link-arg=-Wl,-rpath,.
//!     ./heat2d-main
use std::ffi::{c_char, c_int, CStr};
use std::process::ExitCode;

/// What the header declares.
#[repr(C)]
struct Plan {
    _private: [u8; 0],
}

extern "C" {
    fn heat2d_create(plan: *mut *mut Plan, n: c_int, m: c_int) -> c_int;
    fn heat2d_run(plan: *mut Plan, t: c_int, a: *mut f32) -> c_int;
    fn heat2d_destroy(plan: *mut Plan);
    fn heat2d_strerror(code: c_int) -> *const c_char;
}

/// A plan that is destroyed when it goes out of scope.
struct Heat2d {
    plan: *mut Plan,
    cells: usize,
}

fn checked(code: c_int) -> Result<(), String> {
    if code == 0 {
        return Ok(());
    }
    // The text is a constant of the library.
    Err(unsafe { CStr::from_ptr(heat2d_strerror(code)) }
        .to_string_lossy()
        .into_owned())
}

impl Heat2d {
    fn new(n: i32, m: i32) -> Result<Heat2d, String> {
        let mut plan = std::ptr::null_mut();
        checked(unsafe { heat2d_create(&mut plan, n, m) })?;
        Ok(Heat2d { plan, cells: n as usize * m as usize })
    }

    fn run(&mut self, t: i32, a: &mut [f32]) -> Result<(), String> {
        if a.len() != self.cells {
            return Err(format!("{} cells, not {}", a.len(), self.cells));
        }
        checked(unsafe { heat2d_run(self.plan, t, a.as_mut_ptr()) })
    }
}

impl Drop for Heat2d {
    fn drop(&mut self) {
        unsafe { heat2d_destroy(self.plan) }
    }
}

fn step(a: &[f32], n: usize, m: usize) -> Vec<f32> {
    let mut new = a.to_vec();
    for i in 1..n - 1 {
        for j in 1..m - 1 {
            let mut sum = 0.0;
            for (k, (x, y)) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)]
                .iter()
                .enumerate()
            {
                let cell = a[(i + x - 1) * m + j + y - 1];
                sum = if k == 0 { cell } else { sum + cell };
            }
            new[i * m + j] = 0.125 * sum;
        }
    }
    new
}

fn run() -> Result<bool, String> {
    let (n, m) = (40, 70);
    let mut plain: Vec<f32> = (0..n * m).map(|i| (i * 37 % 101) as f32 * 0.01).collect();
    let mut a = plain.clone();
    let mut heat = Heat2d::new(n as i32, m as i32)?;
    for t in [3, 0, 7] {
        heat.run(t, &mut a)?;
    }
    for _ in 0..10 {
        plain = step(&plain, n, m);
    }
    if let Err(why) = Heat2d::new(-1, 5) {
        println!("refused: {why}");
    }
    Ok(a == plain)
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => println!("equal to the plain loops"),
        Ok(false) => {
            println!("the result differs from the plain loops");
            return ExitCode::FAILURE;
        }
        Err(why) => {
            println!("{why}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
